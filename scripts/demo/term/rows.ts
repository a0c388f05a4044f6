/** How rows of the term become SQL, and the ids they share. */
import { seededNumbers } from '../problem.ts'

/** Ids in an empty database: 1 is the admin's, and that of the course `Public`. */
export const COURSE_ID = 2
export const TEACHER_ID = 2
export const FIRST_STUDENT_ID = 4

/** One statement with all of its values. */
export interface Statement {
  sql: string
  parameters: string[]
}

export type Row = Record<string, unknown>

/** Columns that are no plain value of their row. */
const EXPRESSIONS: Record<string, string> = {
  code: `cast(value ->> 'code' as blob)`,
  // Everybody of the demo has the admin's password, so that nothing is hashed.
  password_hash: '(select password_hash from users where id = 1)',
}

/** Inserts rows that are one JSON parameter, whatever their number. */
export function insert(table: string, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0] ?? {})
  const values = columns.map((column) => EXPRESSIONS[column] ?? `value ->> '${column}'`)
  return {
    sql: `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from json_each(?)`,
    parameters: [JSON.stringify(rows)],
  }
}

/** Ids as the product makes them: the time, then what is random there. */
export type NewId = (atMs: number) => string

/** Ids that are the same for the same times. */
export function seededIds(): NewId {
  const number = seededNumbers(24)
  return (atMs) => {
    const random = [number(0, 0xff_ffff), number(0, 0xff_ffff)]
    return [atMs.toString(16).padStart(12, '0')]
      .concat(random.map((part) => part.toString(16).padStart(6, '0')))
      .join('')
  }
}
