/** What the names of files in a zip say: words, numbers, and whether a file is an input or an output. */

/** Whether a file is an input or an output. `bare`: the file's name does not say, like Polygon's input `01` beside `01.a`. */
type Side = 'input' | 'output' | 'bare'

const SIDE_WORDS = new Map<string, Side>([
  ...sidesOf('input', 'in inp input inputs eingabe eingaben 輸入 输入'),
  ...sidesOf('output', 'out output outputs ans answer answers expected ausgabe ausgaben 輸出 输出'),
])

/** Endings of outputs, the most certain first: if a case has two outputs, `.ans` is the expected one. */
const OUTPUT_ENDINGS = ['ans', 'a', 'answer', 'expected', 'sol', 'ok', 'out', 'output']
const SIDE_ENDINGS = new Map<string, Side>([
  ...sidesOf('input', 'in inp input'),
  ...sidesOf('output', OUTPUT_ENDINGS.join(' ')),
])

/** Endings that do not tell inputs from outputs. A number is such an ending, too: `input.1`. */
const NEUTRAL_ENDING = /^(?:|txt|text|dat|\d+)$/

/** Some Windows programs write backslashes. */
export const SLASH = /[/\\]/

/** Names of files that macOS, Windows and editors add. A dot begins a hidden file's name, but `.` and `..` are folders. */
const SYSTEM_PART = /^(?:__MACOSX|\.(?!\.?$).*|Thumbs\.db|desktop\.ini)$/i

function sidesOf(side: Side, words: string): [string, Side][] {
  return words.split(' ').map((word) => [word, side])
}

/** Sorts `A` before `a`, and numbers by value, in the same way on every machine. */
const collator = new Intl.Collator('en', { numeric: true })

/** The order in which people count: 2 before 10. */
export function naturalOrder(left: string, right: string): number {
  return collator.compare(left, right) || (left < right ? -1 : Number(left > right))
}

/** Whether a system has added this file. */
export function isSystemFile(name: string): boolean {
  return name.split(SLASH).some((part) => SYSTEM_PART.test(part))
}

/** Words and numbers of a name in lower case: `testInput01` has three. */
export function wordsOf(text: string): string[] {
  const words = text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\p{N}+/gu) ?? []
  return words.map((word) => word.toLowerCase())
}

/** The parts of a file's name by which cases are recognised. */
export interface CaseName {
  name: string
  side: Side
  /** The path without its ending. */
  stem: string
  /** Rank among several outputs of one case; the lowest is the expected one. */
  rank: number
  /** The words of the folders and of the file's name, without the ending and without words for input or output. */
  folders: string[][]
  file: string[]
}

/** Whether the words mean an input or an output; the last such word decides. */
function sideOfWords(words: string[]): Side | undefined {
  return words.map((word) => SIDE_WORDS.get(word)).findLast((side) => side !== undefined)
}

function withoutSides(words: string[]): string[] {
  return words.filter((word) => !SIDE_WORDS.has(word))
}

/** Reads a name; null when its ending belongs to no file of a case, like `.pdf` or `.cpp`. */
export function readCaseName(name: string): CaseName | null {
  const parts = name.split(SLASH)
  const base = parts.pop() ?? ''
  const dot = base.lastIndexOf('.')
  const ending = dot < 0 ? '' : base.slice(dot + 1).toLowerCase()
  if (!SIDE_ENDINGS.has(ending) && !NEUTRAL_ENDING.test(ending)) return null
  const isNumber = /^\d+$/.test(ending)
  const stemOfBase = dot < 0 || isNumber ? base : base.slice(0, dot)
  const words = wordsOf(stemOfBase)
  const folders = parts.map(wordsOf)
  return {
    name,
    side: SIDE_ENDINGS.get(ending) ?? sideOfWords(words) ?? sideOfWords(folders.flat()) ?? 'bare',
    stem: [...parts, stemOfBase].join('/').toLowerCase(),
    rank: OUTPUT_ENDINGS.indexOf(ending),
    folders: folders.map(withoutSides).filter((each) => each.length > 0),
    file: withoutSides(words),
  }
}

/** A key that an input and its output share even if their names differ in more than the ending. */
export function pairKey({ folders, file }: CaseName): string {
  return [...folders, file].map((words) => words.join(' ')).join('/')
}
