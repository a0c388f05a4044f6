/** Reads a spreadsheet's file of people's dates. Loaded on demand: the library of CSV comes with it. */
import Papa from 'papaparse'
import type { Dates } from '#contract/homework-dates'
import type { HomeworkOverride, OverrideChange } from '#contract/homework-overrides'
import { HOMEWORK_LIMITS, QUOTA_MAX, QUOTA_UNLIMITED } from '#contract/limits'
import type { Target } from '../../../components/homeworks/extension-values.ts'
import { decodeText, findEncoding } from '../../../lib/files/file-text.ts'
import { parseDeadline, parseTime } from '../../../lib/format/parse-time.ts'
import { DATES_COLUMNS, type DatesField } from './dates-rows.ts'

/** What is wrong with a row: which field, and how. */
export interface DatesFault {
  field: DatesField
  kind: 'unknown' | 'twice' | 'date' | 'number' | 'yesNo' | 'order' | 'tooLong'
  min?: number
  max?: number
}

/** A row of the file. `number`: its number in the spreadsheet, from 1. `change`: null if the row changes nothing. */
export interface DatesRow {
  number: number
  username: string
  change: OverrideChange | null
  faults: DatesFault[]
}

/** `missing`: the file has no column of usernames. `unknownHeads`: headers that the app does not know. */
export interface DatesFile {
  rows: DatesRow[]
  unknownHeads: string[]
  missing: boolean
}

const RANGES = {
  graceMinutes: { min: 0, max: HOMEWORK_LIMITS.graceMinutes },
  latePercent: { min: 0, max: 100 },
  quota: { min: QUOTA_UNLIMITED, max: QUOTA_MAX },
} as const

const YES = new Set(['yes', 'true', '1', 'x', '是'])
const NO = new Set(['no', 'false', '0', '否'])

/** A date with its time, as spreadsheets write it, too: `2026/3/1 9:05`. */
const WALL = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[ T](\d{1,2}):(\d\d)(?::(\d\d))?$/
/** A moment that names its zone (ISO 8601). */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/

/**
 * The epoch seconds of a cell; not a number for any other text.
 * @param isDeadline a time without seconds means the last second of its minute
 */
export function readDate(text: string, isDeadline: boolean, timeZone: string): number {
  if (INSTANT.test(text)) return Math.floor(Date.parse(text) / 1000)
  const [, year = '', month = '', day = '', hour = '', minute = '', second] = WALL.exec(text) ?? []
  const pad = (part: string) => part.padStart(2, '0')
  const wall = `${year}-${pad(month)}-${pad(day)} ${pad(hour)}:${minute}`
  if (second !== undefined) return parseTime(wall, timeZone) + Number(second)
  return isDeadline ? parseDeadline(wall, timeZone) : parseTime(wall, timeZone)
}

/** The fields of one row, and what is wrong with them. An empty cell: as the homework has it. */
class RowReader {
  readonly faults: DatesFault[] = []
  readonly #cell: (field: DatesField) => string | undefined
  readonly #timeZone: string

  constructor(cell: (field: DatesField) => string | undefined, timeZone: string) {
    this.#cell = cell
    this.#timeZone = timeZone
  }

  #read<T>(field: DatesField, convert: (text: string) => T): T | null | undefined {
    const text = this.#cell(field)
    return text === undefined ? undefined : text === '' ? null : convert(text)
  }

  #date(field: 'opens' | 'due' | 'closes') {
    return this.#read(field, (text) => {
      const at = readDate(text, field !== 'opens', this.#timeZone)
      if (Number.isNaN(at)) this.faults.push({ field, kind: 'date' })
      return at
    })
  }

  #number(field: keyof typeof RANGES) {
    return this.#read(field, (text) => {
      const { min, max } = RANGES[field]
      const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
      if (!(number >= min && number <= max)) this.faults.push({ field, kind: 'number', min, max })
      return number
    })
  }

  #excused() {
    return this.#read('excused', (text) => {
      const word = text.toLowerCase()
      if (!YES.has(word) && !NO.has(word)) this.faults.push({ field: 'excused', kind: 'yesNo' })
      return YES.has(word) || null
    })
  }

  #reason() {
    // The file's writer puts this mark before a text that looks like a formula.
    const text = this.#cell('reason')?.replace(/^'(?=[=+\-@])/, '')
    if (text !== undefined && text.length > HOMEWORK_LIMITS.reason)
      this.faults.push({ field: 'reason', kind: 'tooLong', max: HOMEWORK_LIMITS.reason })
    return text
  }

  /** The fields whose columns the file has. */
  fields(): Omit<OverrideChange, 'username'> {
    const read = {
      due: this.#date('due'),
      closes: this.#date('closes'),
      opens: this.#date('opens'),
      graceMinutes: this.#number('graceMinutes'),
      latePercent: this.#number('latePercent'),
      quota: this.#number('quota'),
      excused: this.#excused(),
      reason: this.#reason(),
    }
    return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
  }
}

type Fields = ReturnType<RowReader['fields']>

/** The fields that differ from the override as it stands. */
function changesIn(fields: Fields, override: HomeworkOverride | null): Fields {
  const before: Record<string, unknown> = override ?? { reason: '' }
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => value !== (before[field] ?? null)),
  )
}

/** Whether the dates would not come in order. @param own the person's present dates */
function isOutOfOrder({ opens, due, closes }: Fields, own: Pick<Dates, 'opens' | 'due'>): boolean {
  // A date that is taken back becomes the homework's, which only the server compares.
  if (opens === null || due === null) return false
  const dueAt = due ?? own.due
  return dueAt < (opens ?? own.opens) || (closes ?? dueAt) < dueAt
}

/** Those whose dates a file can change, as `targetsByName` names them, and the time zone in which it names times. */
interface Course {
  targets: ReadonlyMap<string, Target>
  timeZone: string
}

function columnsOf(heads: string[]): (DatesField | null)[] {
  const plain = (head: string) => head.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const known = new Map(
    Object.entries(DATES_COLUMNS).map(([field, head]) => [plain(head), field as DatesField]),
  )
  return heads.map((head) => known.get(plain(head)) ?? null)
}

/** Reads the file's bytes; nothing is sent. */
export function readDatesFile(bytes: Uint8Array, { targets, timeZone }: Course): DatesFile {
  const { data } = Papa.parse<string[]>(decodeText(bytes, findEncoding(bytes)))
  const [heads = [], ...lines] = data
  const columns = columnsOf(heads)
  const seen = new Set<string>()
  const rows = lines.flatMap((cells, index): DatesRow | [] => {
    if (cells.every((cell) => cell.trim() === '')) return []
    const cellOf = (field: DatesField) => cells[columns.indexOf(field)]?.trim()
    const username = cellOf('username') ?? ''
    const target = targets.get(username)
    const reader = new RowReader(cellOf, timeZone)
    const fields = reader.fields()
    const { faults } = reader
    if (target === undefined) faults.unshift({ field: 'username', kind: 'unknown' })
    else if (seen.has(username)) faults.unshift({ field: 'username', kind: 'twice' })
    else if (faults.length === 0 && isOutOfOrder(fields, target.own))
      faults.push({ field: 'due', kind: 'order' })
    seen.add(username)
    const changed = changesIn(fields, target?.override ?? null)
    const { label } = target ?? {}
    const whose = label === undefined ? { username } : { username: null, label }
    const change = Object.keys(changed).length === 0 ? null : { ...changed, ...whose }
    return { number: index + 2, username, change, faults }
  })
  return {
    rows,
    unknownHeads: heads.filter((head, index) => head.trim() !== '' && columns[index] === null),
    missing: !columns.includes('username'),
  }
}
