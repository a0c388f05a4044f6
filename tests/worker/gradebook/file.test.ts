/** The gradebook as a CSV file. */
import { expect, test } from 'vitest'
import { addLabel } from '../support/dated-homework.ts'
import { createBook, linesOf, manual, storeMark } from '../support/gradebook-columns.ts'
import { numbersBelow, runSql } from '../support/sql.ts'
import { addStudents, call, fetchApi, uniqueName, type Person } from '../support/world.ts'

/** Lines by their usernames. */
const byName = (lines: string[][]) =>
  lines.toSorted(([left = ''], [right = '']) => (left < right ? -1 : 1))

test('a line for each student has points, EX, or nothing; addresses only for the teacher', async () => {
  const world = await createBook([manual('Oral', 12.5), manual('Board', 10)])
  const { course, teacher, ta, student, path, ids } = world
  const [oral = 0, board = 0, total = 0] = ids
  const [other] = (await addStudents(world, 1)) as [Person]
  const label = await addLabel({ course, ta }, 'Lab', [student])
  await runSql`update users set made_in_course_id = (select id from courses where name = ${course}) where id = ${student.id}`
  await storeMark(oral, student.id, 1025)
  await storeMark(board, student.id, null)
  await storeMark(total, student.id, 1025)
  const columns = ['labels', `Oral (${oral}) [12.5]`, `Board (${board}) [10]`]
  const names = ({ username }: Person) => [username, `The ${username}`]
  const email = `${student.username}@example.test`
  expect(await linesOf(teacher, `${path}/file`)).toEqual([
    ['username', 'displayed name', 'email', ...columns, `Total (${total}) [22.5]`],
    ...byName([
      [...names(student), email, 'Lab', '10.25', 'EX', '10.25'],
      [...names(other), '', '', '', '', ''],
    ]),
  ])
  expect(await linesOf(ta, `${path}/file`)).toEqual([
    ['username', 'displayed name', ...columns],
    ...byName([
      [...names(student), 'Lab', '10.25', 'EX'],
      [...names(other), '', '', ''],
    ]),
  ])
  expect(await linesOf(ta, `${path}/file?label=${label}`)).toHaveLength(2)
  const { headers } = await fetchApi('GET', `${path}/file`, { as: ta })
  expect(headers.get('Content-Type')).toBe('text/csv;charset=utf-8')
  expect(headers.get('ETag')).toBeNull()
})

test('students get no file, and a label of another course is refused', async () => {
  const { student, ta, path } = await createBook([manual('Oral', 10)])
  const other = await createBook([])
  const label = await addLabel(other, 'Elsewhere', [])
  expect(await call('GET', `${path}/file`, { as: student })).toMatchObject({ status: 403 })
  const unknown = await call('GET', `${path}/file?label=${label}`, { as: ta })
  expect(unknown).toMatchObject({ status: 404, code: 'label_not_found' })
})

const STUDENTS = 1_000
const COLUMNS = 40

test('a thousand students and forty columns come whole', async () => {
  const world = await createBook(
    Array.from({ length: COLUMNS }, (_, index) => manual(`C${index}`, 100)),
  )
  const prefix = uniqueName('filed')
  await runSql`insert into users
    (username, username_key, email, displayed_name, bio, password_hash, role, active, created_at)
    select ${prefix} || '-' || value, ${prefix} || '-' || value, '', 'Many', '', '', 2, 1, 1 from json_each(${numbersBelow(STUDENTS)})`
  await runSql`insert into memberships (course_id, user_id, role, joined_at)
    select courses.id, users.id, 'student', 1 from courses, users
    where courses.name = ${world.course} and users.username like ${`${prefix}-%`}`
  await runSql`insert into marks (user_id, column_id, hundredths, changed_at)
    select users.id, c.value, users.id * 100, 1
    from users, json_each(${JSON.stringify(world.ids)}) c where users.username like ${`${prefix}-%`}`
  const lines = await linesOf(world.teacher, `${world.path}/file`)
  const filed = lines.filter(([name]) => name?.startsWith(prefix))
  expect(new Set(filed.map(([name]) => name)).size).toBe(STUDENTS)
  expect(filed.every((line) => line.length === COLUMNS + 5 && !line.slice(4).includes(''))).toBe(
    true,
  )
})
