/** A file of members as a table: what its columns mean, and the CSV that the API takes. */
import Papa from 'papaparse'
import { decodeText, type Encoding } from '../../lib/files/file-text.ts'
import { matchColumns, type Columns, type Field } from '../../lib/files/person-heads.ts'

/** The separators of cells. Spreadsheets use the semicolon in regions with a decimal comma. */
export const SEPARATORS = [',', ';', '\t'] as const
export type Separator = (typeof SEPARATORS)[number]

/**
 * The column headers and the rows. The `number` of a row is its number in the spreadsheet, from 1. Rows without text
 * are left out. `unclosed`: the row with a quotation mark that is never closed, so that the rows below it are lost.
 */
export interface MemberTable {
  separator: Separator
  heads: string[]
  rows: { number: number; cells: string[] }[]
  unclosed: number | null
}

function parse(text: string, separator: Separator): MemberTable {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: separator })
  // Excel may write a first line that names the separator.
  const hint = /^sep=.?$/i.test(data[0]?.join(separator).trim() ?? '') ? 1 : 0
  const filled = data
    .map((cells, index) => ({ number: index + 1, cells }))
    .slice(hint)
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const [head, ...rows] = filled
  const unclosed = errors.find(({ code }) => code === 'MissingQuotes')
  return {
    separator,
    heads: head?.cells.map((cell) => cell.trim()) ?? [],
    rows,
    unclosed: unclosed === undefined ? null : (unclosed.row ?? 0) + 1,
  }
}

/** How well a separator fits: the number of known headers counts first, then the number of columns. */
function fitOf({ heads }: MemberTable): number {
  return matchColumns(heads).filter((field) => field !== null).length * 1_000 + heads.length
}

/** Reads a file. @param separator null: the one that fits best */
export function readTable(
  bytes: Uint8Array,
  encoding: Encoding,
  separator: Separator | null,
): MemberTable {
  const text = decodeText(bytes, encoding)
  const tables = (separator === null ? SEPARATORS : [separator]).map((each) => parse(text, each))
  return tables.reduce((best, table) => (fitOf(table) > fitOf(best) ? table : best))
}

/** A long number that a spreadsheet has shortened: `4.11E+10`. */
const SHORTENED = /^\d(?:[.,]\d+)?E\+\d+$/i

/** The first cell of a used column that looks like a shortened number; null: there is none. */
export function findShortened(
  { rows }: MemberTable,
  columns: Columns,
): { row: number; cell: string } | null {
  for (const { number, cells } of rows) {
    const cell = cells.find((text, index) => columns[index] && SHORTENED.test(text.trim()))
    if (cell !== undefined) return { row: number, cell: cell.trim() }
  }
  return null
}

/** A member as the API takes one, and the labels, which a call of their own stores. */
export type Member = Record<Exclude<Field, 'givenName' | 'familyName'>, string>

/** The displayed name. In Chinese, Japanese or Korean the family name comes first, without a blank. */
function fullName(given: string, family: string): string {
  const isEastern = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]+$/u.test(
    given + family,
  )
  return isEastern ? family + given : `${given} ${family}`.trim()
}

/** The members that the rows describe, read by the meanings of the columns. */
export function toMembers({ rows }: MemberTable, columns: Columns): Member[] {
  return rows.map(({ cells }) => {
    const given = (field: Field) => cells[columns.indexOf(field)] ?? ''
    const cellOf = (field: Field) => given(field).trim()
    return {
      username: cellOf('username'),
      email: cellOf('email'),
      displayedName: cellOf('displayedName') || fullName(cellOf('givenName'), cellOf('familyName')),
      // Not trimmed: blanks may belong to the password.
      password: given('password'),
      role: cellOf('role'),
      labels: cellOf('labels'),
    }
  })
}

/** The CSV that the API takes: line 1 holds the headers, line 2 the first member, and so on. */
export function toApiCsv(members: Member[]): string {
  const heads = ['username', 'password', 'email', 'displayedName', 'role'] as const
  const lines = members.map((member) => heads.map((head) => member[head].replace(/[\r\n]+/g, ' ')))
  return Papa.unparse([[...heads], ...lines], { newline: '\n' })
}

/**
 * An empty file to fill in, with the separator that the reader's spreadsheet expects: the semicolon if the comma is the
 * decimal sign.
 */
export function templateCsv(heads: string[]): string {
  const isCommaTaken = new Intl.NumberFormat().format(0.5).includes(',')
  return `\u{feff}${Papa.unparse([heads], { delimiter: isCommaTaken ? ';' : ',' })}\r\n`
}
