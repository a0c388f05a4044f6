/** The gradebook as a CSV file. */
import { expect, test } from 'vitest'
import { courseIdOf } from '../support/notices.ts'
import { createFormBook, linesOf, manual } from '../support/gradebook.ts'
import { refreshAll, storeMark } from '../support/stored-marks.ts'
import { addLabel } from '../support/dated-homework.ts'
import { numbersBelow, runSql } from '../support/sql.ts'
import { addStudents, call, fetchApi, uniqueName, type Person } from '../support/world.ts'

/** Lines by their usernames. */
const byName = (lines: string[][]) =>
  lines.toSorted(([left = ''], [right = '']) => (left < right ? -1 : 1))

test('a line for each student has points, EX, or nothing; addresses only for the teacher', async () => {
  const world = await createFormBook([manual('Oral', 12.5), manual('Board', 10)])
  const { course, teacher, ta, student, path, ids } = world
  const [oral = 0, board = 0, total = 0] = ids
  const [other] = (await addStudents(world, 1)) as [Person]
  const label = await addLabel({ course, ta }, 'Lab', [student])
  await runSql`update users set made_in_course_id = (select id from courses where name = ${course}) where id = ${student.id}`
  await storeMark(student, oral, { hundredths: 1025 })
  await storeMark(student, board, { hundredths: null, isExcused: true })
  await storeMark(student, total, { hundredths: 1025 })
  await refreshAll(await courseIdOf(course))
  const columns = ['labels', `Oral (${oral}) [12.5]`, `Board (${board}) [10]`]
  const names = ({ username }: Person) => [username, `The ${username}`]
  const email = `${student.username}@example.test`
  expect(await linesOf(teacher, `${path}/file`)).toEqual([
    ['username', 'displayed name', 'email', ...columns, `Total (${total}) [22.5]`],
    ...byName([
      [...names(student), email, 'Lab', '10.25', 'EX', '10.25'],
      [...names(other), '', '', '', '', '0'],
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

test('beside each mark the file explains it, of a total only to those who may see it', async () => {
  const world = await createFormBook([manual('Oral', 10), manual('Board', 10)])
  const { course, teacher, ta, path, ids } = world
  const [oral = 0, board = 0, total = 0] = ids
  // More people than are explained at once.
  const people = [world.student, ...(await addStudents(world, 30))]
  const edits = people.map(({ username }, index) => ({
    username,
    columnId: oral,
    points: index / 4,
  }))
  const set = await ta.patch(path, { edits, reason: 'Exam in May' })
  expect(set.status).toBe(200)
  await refreshAll(await courseIdOf(course))
  const [head, ...lines] = await linesOf(teacher, `${path}/file?explained=1`)
  const heads = [`Oral (${oral})`, `Board (${board})`, `Total (${total})`]
  expect(head?.slice(4)).toEqual(
    heads.flatMap((name, index) => [`${name} [${[10, 10, 20][index]}]`, `${name} explained`]),
  )
  const byPerson = new Map(lines.map(([name, , , , ...cells]) => [name, cells]))
  expect(byPerson.size).toBe(31)
  for (const [index, { username }] of people.entries()) {
    const points = String(index / 4)
    expect(byPerson.get(username)).toEqual([
      points,
      `Staff set ${points} of 10 points, which count: “Exam in May”. It adds ${points} of 10 points to the total.`,
      '',
      'Staff have not entered a mark yet. It adds 0 of 10 points to the total.',
      points,
      `The columns add ${points} of 20 points. Together that is ${points} of 20 points.`,
    ])
  }
  const [forAssistants = []] = await linesOf(ta, `${path}/file?explained=1`)
  expect(forAssistants.slice(3)).toEqual([
    `Oral (${oral}) [10]`,
    `Oral (${oral}) explained`,
    `Board (${board}) [10]`,
    `Board (${board}) explained`,
  ])
  const text = await (await fetchApi('GET', `${path}/file?explained=1`, { as: ta })).text()
  expect(text).toContain('Exam in May')
  expect(text).not.toContain('to the total')
})

test('students get no file, and a label of another course is refused', async () => {
  const { student, ta, path } = await createFormBook([manual('Oral', 10)])
  const other = await createFormBook([])
  const label = await addLabel(other, 'Elsewhere', [])
  expect(await call('GET', `${path}/file`, { as: student })).toMatchObject({ status: 403 })
  const unknown = await call('GET', `${path}/file?label=${label}`, { as: ta })
  expect(unknown).toMatchObject({ status: 404, code: 'label_not_found' })
})

const STUDENTS = 1_000
const COLUMNS = 40

test('a thousand students and forty columns come whole', async () => {
  const world = await createFormBook(
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
