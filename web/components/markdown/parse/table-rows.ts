/** Makes a `|` inside code or a formula end no cell of a table. GFM alone splits the row there and hides the rest of the row. */
import type { Code, Construct, State } from 'micromark-util-types'
import { lookAhead } from './codes.ts'

const PIPE = 124
/** The letter `x`, which replaces a masked pipe. */
const MASK = 120

/** Formulas, code and escaped characters of a line. */
const SPANS =
  /\\\(.+?\\\)|\\\[.+?\\\]|\\.|(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|\$\$.+?\$\$|\$(?![\s$])(?:\\.|[^\\$])*(?<!\s)\$(?!\d)/g

/** GFM's construct for tables, which sees a letter in place of each pipe inside code and formulas. */
export function tableRows(table: Construct): Construct {
  return {
    ...table,
    tokenize(effects, ok, nok) {
      return lookAhead(effects, null, (line) => {
        const masked = line.includes('|')
          ? line.replace(SPANS, (span) => span.replaceAll('|', 'x'))
          : line
        let column = 0
        let read: Code = null
        let hasLeft = false
        function consume(): undefined {
          effects.consume(read)
          column += 1
        }
        function leave(to: State): State {
          return () => {
            hasLeft = true
            return to(read)
          }
        }
        function show(state: State | undefined): State | undefined {
          if (hasLeft || state === undefined) return state
          return (code) => {
            read = code
            const isMasked = code === PIPE && line[column] !== masked[column]
            return show(state(isMasked ? MASK : code))
          }
        }
        const begin = table.tokenize.call(this, { ...effects, consume }, leave(ok), leave(nok))
        return show(begin) ?? nok
      })
    },
  }
}
