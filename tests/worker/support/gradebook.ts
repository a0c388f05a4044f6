/** Gradebooks for tests: their columns, files, settings, and what the audit log says of them. */
import Papa from 'papaparse'
import { createDatedHomework } from './dated-homework.ts'
import { courseIdOf } from './notices.ts'
import { allRows, firstValue, runSql } from './sql.ts'
import { lateDerivation, storeMark } from './stored-marks.ts'
import { createCourse, fetchApi, type Person } from './world.ts'

/** A homework, a column that staff fill by hand, and the total. The homework was due an hour ago and closes in an hour. All columns are shown as usual: the homework's alone. */
export async function createBook(changes: object = {}) {
  const world = await createDatedHomework(changes)
  const { course, homeworkId, ta } = world
  const courseId = await courseIdOf(course)
  const homeworkColumn = await columnOf(homeworkId)
  const total = await totalOf(courseId)
  const manual = Number(
    await firstValue`insert into gradebook_columns (course_id, kind, name, max, shown)
      values (${courseId}, 'manual', 'Oral exam', 1000, 'no') returning id`,
  )
  const path = `/course/${course}/gradebook`
  return {
    ...world,
    courseId,
    homeworkColumn,
    total,
    manual,
    book: path,
    /** Sets one mark. */
    set: (person: Person, columnId: number, points: number | null, more: object = {}) =>
      ta.patch(path, { edits: [{ username: person.username, columnId, points, ...more }] }),
    show: (columnId: number, shown: string, as: Person = ta) =>
      as.put(`${path}/${columnId}/shown`, { shown }),
    hold: (columnId: number, people: readonly Person[], held = true) =>
      ta.put(`${path}/${columnId}/held`, { usernames: people.map((each) => each.username), held }),
    ask: (as: Person, columnId: number, markdown = 'Why?', headers?: Record<string, string>) =>
      as.post(`${path}/${columnId}/questions`, { markdown }, headers),
  }
}

/**
 * A homework of 100 points that counts 60 and an oral exam of 20 points that counts 40. The homework's marks are shown, the others are not.
 */
export async function createWeightedBook() {
  const world = await createDatedHomework()
  const courseId = await courseIdOf(world.course)
  const addGroup = (name: string, position: number, weight: number) =>
    firstValue<number>`insert into gradebook_groups (course_id, name, position, weight)
      values (${courseId}, ${name}, ${position}, ${weight}) returning id`
  const homeworks = await addGroup('Homeworks', 0, 6_000)
  const exam = await addGroup('Exam', 1, 4_000)
  await runSql`update gradebook_columns set group_id = ${homeworks}, position = 0 where homework_id = ${world.homeworkId}`
  const oral =
    await firstValue<number>`insert into gradebook_columns (course_id, kind, name, max, position, group_id, shown)
    values (${courseId}, 'manual', 'Oral exam', 2000, 1, ${exam}, 'no') returning id`
  const homework = await columnOf(world.homeworkId)
  const total = await totalOf(courseId)
  return { ...world, courseId, groups: { homeworks, exam }, columns: { homework, oral, total } }
}

/** The weighted gradebook; the student has 72 points in the homework. */
export async function createMarkedBook() {
  const world = await createWeightedBook()
  const { student, columns, problemId, now } = world
  const derivation = lateDerivation(problemId, now)
  await storeMark(student, columns.homework, { hundredths: 7_200, derivation })
  return world
}

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

/** A course whose teacher saved these columns by hand. */
export async function createFormBook(columns: SentColumn[], changes: object = {}) {
  const world = await createCourse()
  const { course, teacher } = world
  const path = `/course/${course}/gradebook`
  const saved = await teacher.put(`${path}/columns`, formOf(columns, changes))
  if (saved.status !== 200) throw new Error(`not saved: ${saved.message}`)
  const read = await columnsOf(teacher, course)
  const ids: number[] = read.columns.map(({ id }: { id: number }) => id)
  return { ...world, path, ids }
}

/** The column of a homework. */
export async function columnOf(homeworkId: string): Promise<number> {
  const id =
    await firstValue<number>`select id from gradebook_columns where homework_id = ${homeworkId}`
  if (id === null) throw new Error('a homework without a column')
  return id
}

/** The total of a course. */
const totalOf = async (courseId: number) =>
  Number(
    await firstValue`select id from gradebook_columns where course_id = ${courseId} and kind = 'total'`,
  )

/** A file of a gradebook as lines of cells. */
export async function linesOf(as: Person, path: string): Promise<string[][]> {
  const text = await (await fetchApi('GET', path, { as })).text()
  return Papa.parse<string[]>(text.replace('\uFEFF', ''), { skipEmptyLines: true }).data
}

/** What the audit log says of the marks of a course, oldest first. */
export async function markAudit(course: string) {
  const rows = await allRows<{ action: string; detail: string }>`select action, detail
    from audit_entries where action like 'mark%' and detail ->> 'course' = ${course} order by id`
  return rows.map(({ action, detail }) => ({ action, ...JSON.parse(detail) }))
}

/** What staff set in a cell, oldest first. */
export const settingsOf = (columnId: number, { id }: Person) =>
  allRows`select hundredths, is_excused, reason from mark_settings
    where column_id = ${columnId} and user_id = ${id} order by id`
