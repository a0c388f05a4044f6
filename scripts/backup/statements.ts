/** The statements of an SQL text that may be larger than memory. */

/**
 * Each statement as soon as it is whole. A statement ends with a semicolon outside of texts, names and
 * the body of a trigger; comments are not expected.
 */
export async function* statementsOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let statement = ''
  let quote = ''
  for await (const chunk of chunks) {
    let from = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const char = chunk.charAt(at)
      if (quote !== '') quote = char === quote ? '' : quote
      else if (char === "'" || char === '"' || char === '`') quote = char
      else if (char === ';') {
        const whole = statement + chunk.slice(from, at + 1)
        if (/^\s*create\s+trigger\b/i.test(whole) && !/\bend\s*;$/i.test(whole)) continue
        yield whole
        statement = ''
        from = at + 1
      }
    }
    statement += chunk.slice(from)
  }
  if (statement.trim() !== '') yield statement
}
