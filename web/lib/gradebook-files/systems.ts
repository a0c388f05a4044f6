/** Recognises by its head from which system a gradebook's file is, and what its columns and rows are. */
import { matchColumns } from '../files/person-heads.ts'
import { readHundredths } from './cell-numbers.ts'
import type { RawCell, RawTable } from './table.ts'

export type GradebookSystem = 'canvas' | 'moodle' | 'blackboard' | 'brightspace' | 'any'

/** By what a column names a person. `given` and `family` together are a name. */
export type PersonKey = 'id' | 'login' | 'email' | 'name' | 'given' | 'family'

/** A column with points. `title`: without what the system adds. `max`: in hundredths; null if the file does not say it. */
export interface MarkColumn {
  column: number
  head: string
  title: string
  max: number | null
}

/** What is where in a file. `feedback`: columns of texts about the marks of other columns, by title. `isPerson`: whether a row is one of a person. */
export interface Recognised {
  system: GradebookSystem
  headRow: number
  keys: ReadonlyMap<number, PersonKey>
  marks: MarkColumn[]
  feedback: { column: number; title: string }[]
  isPerson: (row: number) => boolean
}

type Meaning =
  { key: PersonKey } | { title: string; max: number | null } | { feedbackOf: string } | null

const KEYS: Record<Exclude<GradebookSystem, 'any'>, ReadonlyMap<string, PersonKey>> = {
  // The column ID holds numbers of Canvas itself, which nobody else knows.
  canvas: new Map([
    ['student', 'name'],
    ['lastname', 'family'],
    ['firstname', 'given'],
    ['sis user id', 'id'],
    ['sis login id', 'login'],
  ]),
  moodle: new Map([
    ['first name', 'given'],
    ['surname', 'family'],
    ['last name', 'family'],
    ['id number', 'id'],
    ['username', 'login'],
    ['email address', 'email'],
  ]),
  blackboard: new Map([
    ['last name', 'family'],
    ['first name', 'given'],
    ['username', 'login'],
    ['student id', 'id'],
  ]),
  brightspace: new Map([
    ['orgdefinedid', 'id'],
    ['username', 'login'],
    ['last name', 'family'],
    ['first name', 'given'],
    ['email', 'email'],
  ]),
}

/** Columns that Canvas computes, or that replace what it computes. */
const CANVAS_OWN = /(?:\b(?:Current|Final) (?:Score|Points|Grade)|^Override (?:Score|Grade))$/i

const MARKS: Record<Exclude<GradebookSystem, 'any'>, (head: string) => Meaning> = {
  canvas: (head) =>
    CANVAS_OWN.test(head) ? null : { title: head.replace(/ \(\d+\)$/, ''), max: null },
  moodle(head) {
    const [, of] = /^Feedback: (.+)$/i.exec(head) ?? /^(.+) \(Feedback\)$/i.exec(head) ?? []
    if (of !== undefined) return { feedbackOf: withoutKind(of) }
    const [, item] = /^(.+) \(Real\)$/i.exec(head) ?? []
    const isTotal = item === undefined || /^[^:]* total$/i.test(item)
    return isTotal ? null : { title: withoutKind(item), max: null }
  },
  blackboard(head) {
    // "up to" stands in columns that Blackboard computes. Without an id, an import would make a column of texts.
    const [, title, max] = /^(.*?) \[Total Pts: ([\d.,]+)[^\]]*\] ?\|.+$/.exec(head) ?? []
    return title === undefined ? null : { title, max: maxOf(max) }
  },
  brightspace(head) {
    const [, title, rest = ''] = /^(.+?) Points Grade( <.*>)?$/.exec(head) ?? []
    const [, max] = /MaxPoints:([\d.,]+)/.exec(rest) ?? []
    return title === undefined ? null : { title, max: maxOf(max) }
  },
}

/** The title of an item of Moodle, without what kind of item it is. */
function withoutKind(item: string): string {
  return item.replace(/^[^:]+: ?/, '')
}

function maxOf(value = ''): number | null {
  const hundredths = readHundredths(value)
  return typeof hundredths === 'number' && hundredths > 0 ? hundredths : null
}

/** The last column before the marks. Titles of assignments may have the word, too. */
const isSection = (head: string) => head.trim().toLowerCase() === 'section'

function systemOf(heads: readonly string[]): GradebookSystem {
  const has = (head: string) => heads.includes(head)
  const begin = heads[0] === 'student' || (heads[0] === 'lastname' && heads[1] === 'firstname')
  if (begin && has('id') && heads.some(isSection)) return 'canvas'
  if (has('end-of-line indicator')) return 'brightspace'
  if (has('username') && heads.some((head) => head.includes('[total pts:'))) return 'blackboard'
  const isMoodle = heads.some((head) => head.endsWith(' (real)'))
  return isMoodle || has('last downloaded from this course') ? 'moodle' : 'any'
}

const ANY_KEYS: Partial<Record<string, PersonKey>> = {
  username: 'login',
  email: 'email',
  displayedName: 'name',
  givenName: 'given',
  familyName: 'family',
}

const valueOf = (cells: readonly RawCell[] | undefined, column: number) =>
  cells?.[column]?.value.trim() ?? ''

/** The columns of a table of no known system. @param person the column that names people; null: as its head says */
function anyTable(heads: string[], person: number | null): Pick<Recognised, 'keys' | 'marks'> {
  const keys = new Map<number, PersonKey>()
  if (person === null)
    for (const [column, field] of matchColumns(heads).entries()) {
      const key = ANY_KEYS[field ?? '']
      if (key !== undefined) keys.set(column, key)
    }
  else keys.set(person, 'login')
  const marks = heads.flatMap((head, column) =>
    head === '' || keys.has(column) ? [] : { column, head, title: head, max: null },
  )
  return { keys, marks }
}

/** The part of Canvas's table that its head does not tell: the maxima, and which rows are people. */
function canvasRows({ rows }: RawTable, headRow: number, found: Recognised): Recognised {
  const maxima = rows.findIndex(
    (cells, row) => row > headRow && /points possible/i.test(cells[0]?.value ?? ''),
  )
  const lastFixed = rows[headRow]?.findIndex(({ value }) => isSection(value)) ?? -1
  const marks = found.marks.flatMap((mark) => {
    const max = valueOf(rows[maxima], mark.column)
    const isMark = mark.column > lastFixed && (maxima === -1 || readHundredths(max) !== 'number')
    return isMark ? { ...mark, max: maxOf(max) } : []
  })
  const isPerson = (row: number) =>
    row !== maxima &&
    found.isPerson(row) &&
    !/^student, test$/i.test(valueOf(rows[row], 0)) &&
    (rows[row]?.some(({ value }) => !/^\s*(?:Manual Posting.*)?$/i.test(value)) ?? false)
  return { ...found, marks, isPerson }
}

/** What is where in a file. @param person for a table of no known system: the column that names people */
export function recognise(table: RawTable, person: number | null): Recognised {
  const { rows } = table
  // Excel may write a first line that names the delimiter.
  const headRow = /^sep=.?$/i.test(rows[0]?.map(({ value }) => value).join('') ?? '') ? 1 : 0
  const heads = rows[headRow]?.map(({ value }) => value.trim()) ?? []
  const plain = heads.map((head) => head.toLowerCase())
  const system = systemOf(plain)
  const isPerson = (row: number) =>
    row > headRow && (rows[row]?.some(({ value }) => value.trim() !== '') ?? false)
  const found: Recognised = {
    system,
    headRow,
    keys: new Map(),
    marks: [],
    feedback: [],
    isPerson,
  }
  if (system === 'any') return { ...found, ...anyTable(heads, person) }
  const keys = new Map<number, PersonKey>()
  for (const [column, head] of heads.entries()) {
    const key = KEYS[system].get(plain[column] ?? '')
    const meaning = key === undefined ? MARKS[system](head) : { key }
    if (meaning === null || head === '') continue
    if ('key' in meaning) keys.set(column, meaning.key)
    else if ('feedbackOf' in meaning) found.feedback.push({ column, title: meaning.feedbackOf })
    else found.marks.push({ column, head, ...meaning })
  }
  return system === 'canvas' ? canvasRows(table, headRow, { ...found, keys }) : { ...found, keys }
}
