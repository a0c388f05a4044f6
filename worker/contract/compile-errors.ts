/** Finds the first error in a compiler's message. */

/**
 * Where the first error stands, best first: an error of gcc or g++; a name that the linker did not find; any other failure of the linker; the
 * exception of Python's parser. Compilers indent lines of the source, so no pattern matches text of the source.
 */
const ERRORS = [
  /^(?!collect2: )[^\s:][^:\n]*:(?:\d+:){0,2} (?:fatal )?[Ee]rror: (.+)$/m,
  /^\S.*?: (undefined reference to .+)$/m,
  /^collect2: (?:fatal )?error: (.+)$/m,
  /^([A-Z]\w*Error\b.*)$/m,
]

/**
 * The first error of a compiler, with its names, without file and line: `'total' was not declared in this scope`. A message without an
 * error, as when the compiler was stopped, is known by its first line.
 * @param message the whole message, as in `compileMessage` of a result
 */
export function firstCompileError(message: string): string {
  for (const pattern of ERRORS) {
    const error = pattern.exec(message)?.[1]
    if (error !== undefined) return error.trim()
  }
  return message.trim().split('\n', 1)[0]?.trim() ?? ''
}
