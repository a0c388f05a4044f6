/** A gradebook for tests: a homework, a column that staff fill by hand, and the total. */
import { createDatedHomework } from './dated-homework.ts'
import { courseIdOf } from './notices.ts'
import { allRows, firstValue } from './sql.ts'
import type { Person } from './world.ts'

/** The homework was due an hour ago and closes in an hour. All columns are shown as usual: the homework's alone. */
export async function createBook(changes: object = {}) {
  const world = await createDatedHomework(changes)
  const { course, homeworkId, ta } = world
  const courseId = await courseIdOf(course)
  const idOf = async (id: unknown) => Number(await id)
  const homeworkColumn = await idOf(
    firstValue`select id from gradebook_columns where homework_id = ${homeworkId}`,
  )
  const total = await idOf(
    firstValue`select id from gradebook_columns where course_id = ${courseId} and kind = 'total'`,
  )
  const manual = await idOf(
    firstValue`insert into gradebook_columns (course_id, kind, name, max, shown)
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
