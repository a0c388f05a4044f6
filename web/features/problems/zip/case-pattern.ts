/** Finds the cases of a zip by two patterns that a teacher writes. */
import type { TestDataEntry } from '#contract/problems/test-data'
import type { CaseMapping, IgnoredFile } from './case-mapping.ts'
import { naturalOrder, SLASH } from './case-names.ts'
import { areSamples, splitSystemFiles, toMapping } from './recognise-cases.ts'

/** How inputs and outputs are called: `{subtask}` and `{case}` stand for what varies, `*` for anything. */
interface CasePatterns {
  input: string
  output: string
}

/** A name that fits a pattern. `key`: the folders before the pattern, and the texts that stand for its blanks. */
interface Match {
  name: string
  subtask: string
  key: string
}

const BLANKS: ReadonlyMap<string, string> = new Map([
  ['{subtask}', '(?<subtask>[^/]+?)'],
  ['{case}', '(?<case>[^/]+?)'],
  ['*', '[^/]*?'],
])

/** The pattern as an expression for the end of a path. A blank that occurs again must match the same text. */
function toExpression(pattern: string): RegExp {
  const seen = new Set<string>()
  const source = pattern
    .trim()
    .split(/(\{subtask\}|\{case\}|\*)/)
    .map((part) => {
      const again = seen.has(part) && part !== '*'
      seen.add(part)
      if (again && BLANKS.has(part)) return `\\k<${part.slice(1, -1)}>`
      return BLANKS.get(part) ?? part.replace(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`)
    })
  return new RegExp(`^(?<before>(?:.*/)?)${source.join('')}$`, 'iu')
}

/** The path with `/` between its parts. */
function withSlashes(path: string): string {
  return path.split(SLASH).join('/')
}

function matchesOf(names: string[], pattern: string): Match[] {
  const expression = toExpression(withSlashes(pattern))
  return names.flatMap((name): Match[] => {
    const groups = expression.exec(withSlashes(name))?.groups
    if (groups === undefined) return []
    const { before = '', subtask = '', case: index = '' } = groups
    return [{ name, subtask: `${before}${subtask}`, key: [before, subtask, index].join('\n') }]
  })
}

/** The cases that the patterns find; files that fit neither are ignored. */
export function casesByPattern(
  entries: Pick<TestDataEntry, 'name' | 'isDirectory'>[],
  patterns: CasePatterns,
): CaseMapping {
  const { names, ignored } = splitSystemFiles(entries)
  const inputs = matchesOf(names.toSorted(naturalOrder), patterns.input)
  const outputs = new Map(
    matchesOf(names, patterns.output)
      .toReversed()
      .map((match) => [match.key, match]),
  )
  const taken = new Set<string>()
  const pairs = inputs.flatMap((input) => {
    const output = outputs.get(input.key)
    // A file may fit both patterns, but no file is used twice.
    if (output === undefined || taken.has(output.name) || taken.has(input.name)) return []
    if (output.name === input.name) return []
    taken.add(input.name).add(output.name)
    return [{ input, output }]
  })
  const samples = areSamples(pairs.map(({ input }) => input.name))
  const marked = pairs.map((pair, index) => ({ ...pair, isSample: samples[index] ?? false }))
  const subtasks = [...Map.groupBy(marked, ({ input }) => input.subtask).entries()]
    .toSorted(([left], [right]) => naturalOrder(left, right))
    .map(([, group]) => group)
  const rest = names
    .filter((name) => !taken.has(name))
    .map((name): IgnoredFile => ({ name, reason: 'other' }))
  return toMapping(subtasks, [...rest, ...ignored])
}
