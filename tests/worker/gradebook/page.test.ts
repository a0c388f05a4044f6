/** Pages of the gradebook: order, filter, the letters of cells, who sees totals, and what a page reads. */
import { expect, test } from 'vitest'
import { columnOf, createFormBook, manual } from '../support/gradebook.ts'
import { courseIdOf } from '../support/notices.ts'
import { refreshAll, storeMark } from '../support/stored-marks.ts'
import { createDatedHomework, addLabel } from '../support/dated-homework.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { numbersBelow, queryPlan, runSql } from '../support/sql.ts'
import { addStudents, uniqueName, type Person } from '../support/world.ts'

/** The usernames of all pages of the gradebook. */
async function namesOf(as: Person, path: string, query: string, limit = 2): Promise<string[]> {
  const names: string[] = []
  let cursor = ''
  do {
    const { data, message } = await as.get(`${path}?limit=${limit}&${query}${cursor}`)
    if (!data) throw new Error(message)
    names.push(...data.people.map((person: { user: { username: string } }) => person.user.username))
    cursor = data.next === null ? '' : `&cursor=${data.next}`
  } while (cursor !== '')
  return names
}

/** A gradebook with one column, and four students with marks 7, none, 5 and 5. */
async function createMarked() {
  const world = await createFormBook([manual('Oral', 10)])
  const [high, none, low, same] = (await addStudents(world, 4)) as [Person, Person, Person, Person]
  await runSql`delete from memberships where user_id = ${world.student.id}`
  const [oral = 0, total = 0] = world.ids
  await storeMark(high, oral, { hundredths: 700 })
  await storeMark(low, oral, { hundredths: 500 })
  await storeMark(same, oral, { hundredths: 500 })
  return { ...world, oral, total, people: { high, none, low, same } }
}

test('people come by name or by a column, those without a mark last in both orders', async () => {
  const { ta, path, oral, people } = await createMarked()
  const names = (...who: Person[]) => who.map(({ username }) => username)
  const { high, none, low, same } = people
  const byName = names(high, none, low, same).toSorted()
  expect(await namesOf(ta, path, 'sort=name')).toEqual(byName)
  expect(await namesOf(ta, path, 'order=down')).toEqual(byName.toReversed())
  expect(await namesOf(ta, path, `sort=${oral}`)).toEqual(names(low, same, high, none))
  expect(await namesOf(ta, path, `sort=${oral}&order=down`)).toEqual(names(high, same, low, none))
  await storeMark(low, oral, { hundredths: null, isExcused: true })
  for (const limit of [1, 2, 3])
    expect(await namesOf(ta, path, `sort=${oral}`, limit)).toEqual(names(same, high, none, low))
})

test('a page may have only the people with a label', async () => {
  const { ta, path, oral, people, course } = await createMarked()
  const { none, low } = people
  const label = await addLabel({ course, ta }, 'Lab', [none, low])
  expect(await namesOf(ta, path, `label=${label}`, 1)).toEqual(
    [none.username, low.username].toSorted(),
  )
  expect(await namesOf(ta, path, `label=${label}&sort=${oral}`, 1)).toEqual([
    low.username,
    none.username,
  ])
  const { data } = await ta.get(`${path}?label=${label}`)
  expect(data.people.map(({ labels }: { labels: number[] }) => labels)).toEqual([[label], [label]])
  const other = await addLabel(await createMarked(), 'Elsewhere', [])
  const unknown = await ta.get(`${path}?label=${other}`)
  expect(unknown).toMatchObject({ status: 404, code: 'label_not_found' })
})

test('letters tell of excused, set, kept and held marks, and of open questions', async () => {
  const world = await createDatedHomework()
  const { course, teacher, ta, student, homeworkId } = world
  const [other] = (await addStudents(world, 1)) as [Person]
  const column = await columnOf(homeworkId)
  const path = `/course/${course}/gradebook`
  const cellsOf = async (as: Person) => {
    const { people } = (await as.get(path)).data
    return [student, other].map(
      ({ username }) =>
        people.find((person: { user: { username: string } }) => person.user.username === username)
          .cells[0],
    )
  }
  expect(await cellsOf(ta)).toEqual([
    [null, ''],
    [null, ''],
  ])
  await storeMark(student, column, { hundredths: 950, isSet: true, isKept: true })
  await storeMark(other, column, { hundredths: null, isExcused: true, isSet: true })
  await runSql`insert into held_marks (column_id, user_id) values (${column}, ${other.id})`
  await runSql`insert into questions (id, course_id, column_id, student_id, state, unread, teacher_only, created_at, updated_at)
    select ${uniqueName('question')}, id, ${column}, ${student.id}, 'open', 0, 1, 1, 1 from courses where name = ${course}`
  expect(await cellsOf(teacher)).toEqual([
    [9.5, 'sqk'],
    [null, 'esh'],
  ])
  expect(await cellsOf(ta)).toEqual([
    [9.5, 'sk'],
    [null, 'esh'],
  ])
})

test('assistants who may not see totals get none, and cannot sort by them', async () => {
  const { teacher, ta, student, course, path, oral, total, people } = await createMarked()
  await refreshAll(await courseIdOf(course))
  await storeMark(people.high, total, { hundredths: 900 })
  await runSql`insert into stale_marks (column_id, user_id) values (${total}, ${people.low.id}), (${oral}, ${people.low.id})`
  const hidden = await ta.get(path)
  expect(hidden.data).toMatchObject({ columnIds: [oral], pending: 1 })
  expect(hidden.data.people.map(({ cells }: { cells: unknown[] }) => cells.length)).toEqual([
    1, 1, 1, 1,
  ])
  const sorted = await ta.get(`${path}?sort=${total}`)
  expect(sorted).toMatchObject({ status: 404, code: 'column_not_found' })
  const seen = await teacher.get(`${path}?sort=${total}&order=down&limit=1`)
  expect(seen.data).toMatchObject({
    columnIds: [oral, total],
    pending: 2,
    people: [
      {
        user: { username: people.high.username },
        cells: [
          [7, ''],
          [9, ''],
        ],
      },
    ],
  })
  await runSql`update gradebook_columns set for_assistants = 1 where id = ${total}`
  expect((await ta.get(`${path}?sort=${total}&order=down&limit=1`)).data).toEqual(seen.data)
  expect(await student.get(path)).toMatchObject({ status: 404 })
  expect(await people.low.get(path)).toMatchObject({ status: 403 })
})

test('a column elsewhere and a cursor of another list are refused', async () => {
  const { ta, path, oral } = await createMarked()
  const { ids } = await createFormBook([manual('Elsewhere', 10)])
  const foreign = await ta.get(`${path}?sort=${ids[0]}`)
  expect(foreign).toMatchObject({ status: 404, code: 'column_not_found' })
  const { next } = (await ta.get(`${path}?limit=1`)).data
  const wrong = await ta.get(`${path}?sort=${oral}&cursor=${next}`)
  expect(wrong).toMatchObject({ status: 400, data: [{ path: ['cursor'] }] })
})

const STUDENTS = 1_000
const COLUMNS = 40
const PAGE = 50

/** A course with forty columns and a thousand students with a mark in each, and in the total. */
async function createClass() {
  const columns = Array.from({ length: COLUMNS }, (_, index) => manual(`C${index}`, 100))
  const world = await createFormBook(columns)
  const prefix = uniqueName('many')
  await runSql`insert into users
    (username, username_key, email, displayed_name, bio, password_hash, role, active, created_at)
    select ${prefix} || '-' || value, ${prefix} || '-' || value, '', 'Many', '', '', 2, 1, 1 from json_each(${numbersBelow(STUDENTS)})`
  await runSql`insert into memberships (course_id, user_id, role, joined_at)
    select courses.id, users.id, 'student', 1 from courses, users
    where courses.name = ${world.course} and users.username like ${`${prefix}-%`}`
  const problem = { problemId: 1, hundredths: 100, isKept: false, at: 1_700_000_000 }
  const derivation = JSON.stringify({
    isSet: false,
    problems: Array.from({ length: 8 }, () => problem),
  })
  await runSql`insert into marks (user_id, column_id, hundredths, changed_at, derivation)
    select users.id, c.value, users.id * 7 % 10000, 1, ${derivation}
    from users, json_each(${JSON.stringify(world.ids)}) c where users.username like ${`${prefix}-%`}`
  return { ...world, total: world.ids.at(-1) ?? 0 }
}

/** What a page reads in D1, and how it finds its people. */
async function costOf(as: Person, path: string) {
  const { status, text, trips } = await recordCall('GET', path, { as })
  expect(status, text).toBe(200)
  const statements = trips.flatMap((trip) => trip.statements)
  const people = statements.find(({ sql }) => sql.startsWith('with page'))
  if (!people) throw new Error('no statement about people')
  expect(statements.map(({ sql }) => sql).join('; ')).not.toMatch(/"(submissions|problem_results)"/)
  return {
    rows: trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    plan: (await queryPlan(people.sql, ...people.params)).join('; '),
    next: JSON.parse(text).data.next,
  }
}

test('a page of 50 people and 40 columns reads few rows, by a column in the order of one index', async () => {
  const { teacher, path, total } = await createClass()
  await runSql`delete from stale_marks where column_id = ${total}`
  // Each cell costs a row of `marks` and one of the list of columns; each person and column a few more.
  const most = PAGE * (COLUMNS + 1) * 2 + (PAGE + COLUMNS) * 12
  const first = await costOf(teacher, `${path}?sort=${total}&limit=${PAGE}`)
  const later = await costOf(teacher, `${path}?sort=${total}&limit=${PAGE}&cursor=${first.next}`)
  const down = await costOf(teacher, `${path}?sort=${total}&order=down&limit=${PAGE}`)
  for (const { rows, plan } of [first, later, down]) {
    expect(rows).toBeLessThan(most)
    expect(plan).toContain('SEARCH marks USING COVERING INDEX marks_sorted (column_id=? AND ')
    expect(plan).not.toContain('TEMP B-TREE')
  }
  // By name, the names of the class are sorted; their marks are not read.
  const byName = await costOf(teacher, `${path}?limit=${PAGE}`)
  expect(byName.rows).toBeLessThan(most + STUDENTS * 4)
})
