/** Recognises the cases of everyday zips by the names of their files. Pure: the same names always give the same mapping. */
import { COUNT_LIMITS } from '#contract/limits'
import type { TestDataEntry } from '#contract/problems/test-data'
import type { CaseMapping, IgnoredFile, MappedCase } from './case-mapping.ts'
import {
  isSystemFile,
  naturalOrder,
  pairKey,
  readCaseName,
  SLASH,
  wordsOf,
  type CaseName,
} from './case-names.ts'

const SAMPLE_WORDS = new Set(
  'sample samples example examples beispiel beispiele 範例 範例測資 樣例 样例 示例'.split(' '),
)
/** Words before the number of a subtask, and of a case. */
const SUBTASK_WORDS = new Set(
  'subtask subtasks sub group grp batch teilaufgabe gruppe 子任務 子任务'.split(' '),
)
const CASE_WORDS = new Set('case cases test tests tc fall testfall 測資 测试'.split(' '))

/** An input and its output. */
interface Pair {
  input: CaseName
  output: CaseName
}

/** A pair, with the parts of its name that tell its subtask. */
interface PlacedPair extends Pair {
  folders: string[][]
  file: string[]
  isSample: boolean
}

/** Groups in the order of their first member. */
function groupBy<Item>(items: Item[], keyOf: (item: Item) => string): Item[][] {
  return [...Map.groupBy(items, keyOf).values()]
}

/** Pairs the inputs and outputs that have the same key. `left`: files without a partner; `second`: superfluous files. */
function pairUp(
  names: CaseName[],
  keyOf: (name: CaseName) => string,
): { pairs: Pair[]; left: CaseName[]; second: CaseName[] } {
  const pairs: Pair[] = []
  const left: CaseName[] = []
  const second: CaseName[] = []
  for (const group of groupBy(names, keyOf)) {
    const outputs = group
      .filter(({ side }) => side === 'output')
      .toSorted((one, other) => one.rank - other.rank)
    const inputs = ['input', 'bare'].flatMap((side) => group.filter((each) => each.side === side))
    const [input] = inputs
    const [output] = outputs
    if (input === undefined || output === undefined) {
      left.push(...group)
      continue
    }
    pairs.push({ input, output })
    second.push(...inputs.slice(1), ...outputs.slice(1))
  }
  return { pairs, left, second }
}

/** The number of equal items with which all lists begin; the last `rest` items of each list do not count. */
function sharedStart(lists: string[][], rest: number): number {
  const [first = []] = lists
  const longest = lists.length === 0 ? 0 : Math.min(...lists.map((list) => list.length - rest))
  let length = 0
  while (length < longest && lists.every((list) => list[length] === first[length])) length += 1
  return length
}

/**
 * Which files are marked as samples by a word in their path. If all files are marked, none counts as a sample. Folders
 * that hold all files are ignored.
 */
export function areSamples(names: string[]): boolean[] {
  const paths = names.map((name) => name.split(SLASH).map((part) => wordsOf(part).join(' ')))
  const around = sharedStart(paths, 1)
  const found = paths.map((path) =>
    path.slice(around).some((part) => part.split(' ').some((word) => SAMPLE_WORDS.has(word))),
  )
  return found.every(Boolean) ? found.map(() => false) : found
}

/** Removes the folders that hold all files, and finds the samples. */
function placePairs(pairs: Pair[]): PlacedPair[] {
  const paths = pairs.map(({ input }) => input.folders.map((folder) => folder.join(' ')))
  const around = sharedStart(paths, 0)
  const samples = areSamples(pairs.map(({ input }) => input.name))
  return pairs.map((pair, index) => ({
    ...pair,
    folders: pair.input.folders.slice(around),
    file: pair.input.file,
    isSample: samples[index] ?? false,
  }))
}

/**
 * Moves a folder that names a case into the file's name: `1/input.txt`, or `case1/data.in`, if the folder
 * holds only this case.
 */
function foldersAsCases(pairs: PlacedPair[]): PlacedPair[] {
  const sizes = Map.groupBy(pairs, ({ folders }) => folders.join('/'))
  return pairs.map((pair) => {
    const last = pair.folders.at(-1) ?? []
    const isAlone = sizes.get(pair.folders.join('/'))?.length === 1
    const isCase =
      isAlone &&
      !last.some((word) => SUBTASK_WORDS.has(word)) &&
      (pair.file.length === 0 || last.some((word) => CASE_WORDS.has(word)))
    if (!isCase) return pair
    return { ...pair, folders: pair.folders.slice(0, -1), file: [...last, ...pair.file] }
  })
}

/** The number or letter after a word for “subtask”, as in `subtask2` or `group-b`. */
function numberOfSubtask(words: string[]): string | undefined {
  const at = words.findIndex((word) => SUBTASK_WORDS.has(word))
  const next = words[at + 1]
  return at >= 0 && next !== undefined && isShort(next) ? next : undefined
}

/** A number or a single letter. */
function isShort(word: string | undefined): boolean {
  return word !== undefined && (/^\p{N}+$/u.test(word) || word.length === 1)
}

/** The judge's own names: subtask and case in two digits each, both counted from 00 or both from 01. */
function splitFourDigits(files: string[][]): (string | undefined)[] {
  const none = files.map(() => undefined)
  if (!files.every(([word = '', ...more]) => more.length === 0 && /^\d{4}$/.test(word))) return none
  const subtasks = files.map(([word = '']) => word.slice(0, 2))
  const firstCases = [...new Set(subtasks)].map((subtask) =>
    Math.min(
      ...files.flatMap(([word = '']) => (word.startsWith(subtask) ? [Number(word.slice(2))] : [])),
    ),
  )
  const firstSubtask = Math.min(...subtasks.map(Number))
  const isEven = new Set(firstCases).size === 1 && (firstCases[0] ?? 2) <= 1
  const isNumbered = firstCases[0] === 0 || firstCases.length > 1
  return isEven && isNumbered && firstSubtask <= 1 ? subtasks : none
}

/**
 * The group that the name of each file in a folder contains, like the 1 in `1-01`, `1a` or `subtask1_01`; undefined
 * without groups.
 */
function groupsInNames(files: string[][]): (string | undefined)[] {
  const named = files.map(numberOfSubtask)
  if (named.every((group) => group !== undefined)) return named
  const fourDigits = splitFourDigits(files)
  if (fourDigits.some((group) => group !== undefined)) return fourDigits
  const [first = []] = files
  const inAll = first.filter(
    (word) => !/\p{N}/u.test(word) && files.every((file) => file.includes(word)),
  )
  const telling = files.map((file) => file.filter((word) => !inAll.includes(word)))
  const start = sharedStart(telling, 1)
  const rests = telling.map((file) => file.slice(start))
  const groups = rests.map(([group]) => group)
  const count = new Set(groups).size
  const isGrouped =
    rests.every(([group, index]) => isShort(group) && isShort(index)) &&
    count > 1 &&
    count < files.length
  return isGrouped ? groups : files.map(() => undefined)
}

/** The pairs of a folder, by the groups in their names. */
function splitFolder(pairs: PlacedPair[]): PlacedPair[][] {
  const groups = groupsInNames(pairs.map(({ file }) => file))
  const labelled = pairs.map((pair, index) => ({ pair, group: groups[index] ?? '' }))
  return groupBy(
    labelled.toSorted((left, right) => naturalOrder(left.group, right.group)),
    ({ group }) => group,
  ).map((group) => group.map(({ pair }) => pair))
}

/** Splits a subtask with too many cases into several. */
function splitLong(pairs: PlacedPair[]): PlacedPair[][] {
  const most = COUNT_LIMITS.casesPerSubtask
  return Array.from({ length: Math.ceil(pairs.length / most) }, (_, index) =>
    pairs.slice(index * most, (index + 1) * most),
  )
}

/** The subtasks: samples first, then each folder, or each group in the names of a folder. */
function toSubtasks(pairs: Pair[]): PlacedPair[][] {
  const placed = placePairs(pairs).toSorted((left, right) =>
    naturalOrder(left.input.name, right.input.name),
  )
  const secret = foldersAsCases(placed.filter(({ isSample }) => !isSample))
  const folders = groupBy(secret, ({ folders: path }) => path.join('/'))
  return [placed.filter(({ isSample }) => isSample), ...folders.flatMap(splitFolder)].flatMap(
    splitLong,
  )
}

/** The mapping of the cases; `subtasks` holds the subtasks in order, each with its pairs in order. */
export function toMapping(
  subtasks: { input: { name: string }; output: { name: string }; isSample: boolean }[][],
  ignored: IgnoredFile[],
): CaseMapping {
  const cases = subtasks.flatMap((pairs, subtask) =>
    pairs.map(({ input, output, isSample }): MappedCase => ({
      input: input.name,
      output: output.name,
      subtask,
      isSample,
    })),
  )
  return { cases, ignored }
}

/** The names of a zip's files, without folders; the files that systems add are listed apart. */
export function splitSystemFiles(entries: Pick<TestDataEntry, 'name' | 'isDirectory'>[]): {
  names: string[]
  ignored: IgnoredFile[]
} {
  const all = entries.filter(({ isDirectory }) => !isDirectory).map(({ name }) => name)
  return {
    names: all.filter((name) => !isSystemFile(name)),
    ignored: all.filter(isSystemFile).map((name) => ({ name, reason: 'system' })),
  }
}

/** Finds the subtasks and cases of a zip. Files that fit no case are ignored, with the reason. */
export function recogniseCases(
  entries: Pick<TestDataEntry, 'name' | 'isDirectory'>[],
): CaseMapping {
  const { names, ignored } = splitSystemFiles(entries)
  const read = names.map((name) => ({ name, known: readCaseName(name) }))
  const known = read.flatMap((each) => each.known ?? [])
  const byStem = pairUp(known, ({ stem }) => stem)
  const byWords = pairUp(byStem.left, pairKey)
  const because = (reason: IgnoredFile['reason'], files: { name: string }[]): IgnoredFile[] =>
    files.map(({ name }) => ({ name, reason }))
  return toMapping(toSubtasks([...byStem.pairs, ...byWords.pairs]), [
    ...because(
      'unpaired',
      byWords.left.filter(({ side }) => side !== 'bare'),
    ),
    ...because('second', [...byStem.second, ...byWords.second]),
    ...because('other', [
      ...read.filter((each) => each.known === null),
      ...byWords.left.filter(({ side }) => side === 'bare'),
    ]),
    ...ignored,
  ])
}
