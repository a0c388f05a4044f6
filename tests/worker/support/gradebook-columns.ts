/** Courses with a gradebook: columns by hand, and marks as they are stored. */
import { createCourse, fetchApi, type Person } from './world.ts'
import { firstValue, runSql } from './sql.ts'

/** A column as the form has it. */
export interface SentColumn {
  id: number | null
  name?: string
  max?: number
  group: number | null
  weight: number | null
  extra?: boolean
}

/** The form of a gradebook. */
export const formOf = (columns: SentColumn[], changes: object = {}) => ({
  groups: [],
  columns,
  total: { outOf: null, decimals: 2, forAssistants: false },
  ...changes,
})

/** A new column that is filled by hand. */
export const manual = (name: string, max: number, changes: object = {}): SentColumn => ({
  id: null,
  name,
  max,
  group: null,
  weight: null,
  ...changes,
})

/** What staff read of the columns. */
export async function columnsOf(as: Person, course: string) {
  const { data, headers } = await as.get(`/course/${course}/gradebook/columns`)
  return { ...data, tag: headers.get('ETag') ?? '' }
}

/** A course with these columns that are filled by hand. */
export async function createBook(columns: SentColumn[], changes: object = {}) {
  const world = await createCourse()
  const { course, teacher } = world
  const path = `/course/${course}/gradebook`
  const saved = await teacher.put(`${path}/columns`, formOf(columns, changes))
  if (saved.status !== 200) throw new Error(`not saved: ${saved.message}`)
  const read = await columnsOf(teacher, course)
  const ids: number[] = read.columns.map(({ id }: { id: number }) => id)
  return { ...world, path, ids }
}

/** A mark as it is stored. @param hundredths null: excused */
export function storeMark(
  columnId: number,
  userId: number,
  hundredths: number | null,
  derivation: object | null = null,
) {
  return runSql`insert into marks (user_id, column_id, hundredths, is_excused, changed_at, derivation)
    values (${userId}, ${columnId}, ${hundredths}, ${hundredths === null ? 1 : 0}, 1, ${JSON.stringify(derivation)})
    on conflict do update set hundredths = excluded.hundredths, is_excused = excluded.is_excused, derivation = excluded.derivation`
}

/** The column of a homework. */
export async function columnOf(homeworkId: string): Promise<number> {
  const id =
    await firstValue<number>`select id from gradebook_columns where homework_id = ${homeworkId}`
  if (id === null) throw new Error('a homework without a column')
  return id
}

/** A file of a gradebook as lines of cells; no cell of these tests holds a comma. */
export async function linesOf(as: Person, path: string): Promise<string[][]> {
  const text = await (await fetchApi('GET', path, { as })).text()
  return text
    .trim()
    .split('\r\n')
    .map((line) => line.replace('\uFEFF', '').split(','))
}
