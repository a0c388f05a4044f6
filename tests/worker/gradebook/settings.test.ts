/** Marks that staff set by hand. */
import { expect, test } from 'vitest'
import { createBook, markAudit, settingsOf } from '../support/gradebook.ts'
import { refreshAll, storeMark } from '../support/stored-marks.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { addStudents } from '../support/world.ts'

test('staff set marks, excuse, and take back; the log names each cell, and the same setting is not written again', async () => {
  const world = await createBook()
  const { course, ta, student, manual, homeworkColumn, total, book } = world
  const [other] = await addStudents(world, 1)
  if (!other) throw new Error('nobody')
  const edits = [
    { username: student.username.toUpperCase(), columnId: manual, points: 10.25 },
    { username: other.username, columnId: homeworkColumn, points: null, excused: true },
  ]
  const made = await ta.patch(book, { edits, reason: 'Oral exam on Monday' })
  expect(made).toMatchObject({ status: 200 })
  const answered = made.data.cells
  expect(answered).toHaveLength(2)
  expect(answered).toEqual(
    expect.arrayContaining([
      { username: student.username, columnId: manual, cell: [10.25, ''] },
      { username: other.username, columnId: homeworkColumn, cell: [null, 'es'] },
    ]),
  )
  // The page says the same.
  const { people } = (await ta.get(book)).data
  expect(people.map((person: { cells: unknown }) => person.cells)).toEqual(
    expect.arrayContaining([
      expect.arrayContaining([[10.25, '']]),
      expect.arrayContaining([[null, 'es']]),
    ]),
  )
  const reason = 'Oral exam on Monday'
  expect(await settingsOf(manual, student)).toEqual([{ hundredths: 1025, is_excused: 0, reason }])
  expect(await settingsOf(homeworkColumn, other)).toEqual([
    { hundredths: null, is_excused: 1, reason },
  ])
  const none = { points: null, excused: false }
  expect(await markAudit(course)).toEqual([
    {
      action: 'mark.set',
      course,
      column: 'Oral exam',
      username: student.username,
      before: none,
      after: { points: 10.25, excused: false },
    },
    {
      action: 'mark.set',
      course,
      column: world.form.name,
      username: other.username,
      before: none,
      after: { points: null, excused: true },
    },
  ])
  await ta.patch(book, { edits, reason: 'Again' })
  await world.set(other, manual, null)
  expect(await markAudit(course)).toHaveLength(2)
  await world.set(student, manual, null)
  expect(await settingsOf(manual, student)).toHaveLength(2)
  await world.set(student, manual, null)
  expect(await settingsOf(manual, student)).toHaveLength(2)
  // The teacher sees totals.
  const asked = { edits: [{ username: student.username, columnId: manual, points: 3 }] }
  const seen = await world.teacher.patch(book, asked)
  expect(seen.data.cells.map((each: { columnId: number }) => each.columnId).toSorted()).toEqual(
    [manual, total].toSorted(),
  )
})

test('the log has the mark before, and the answer the state of the cell', async () => {
  const world = await createBook()
  const { student, manual, course } = world
  await world.show(manual, 'yes')
  await world.ask(student, manual)
  await world.hold(manual, [student])
  await storeMark(student, manual, { hundredths: 450, isKept: true })
  await runSql`insert into mark_settings (column_id, user_id, hundredths, reason, setter_id, set_at)
    values (${manual}, ${student.id}, 450, '', ${world.ta.id}, 1)`
  await runSql`delete from stale_marks`
  const same = await world.set(student, manual, 4.5)
  expect(same.data.cells).toEqual([
    { username: student.username, columnId: manual, cell: [4.5, 'hqk'] },
  ])
  await world.set(student, manual, 5)
  expect((await markAudit(course)).at(-1)).toMatchObject({
    before: { points: 4.5, excused: false },
    after: { points: 5, excused: false },
  })
})

test('a wrong row refuses all', async () => {
  const world = await createBook()
  const elsewhere = await createBook()
  const { ta, teacher, student, manual, total, book } = world
  const good = { username: student.username, columnId: manual, points: 1 }
  const send = (edit: object) => ta.patch(book, { edits: [good, { ...good, ...edit }] })
  const missing = { status: 404, code: 'user_not_found' }
  expect(await send({ username: 'nobody' })).toMatchObject({
    ...missing,
    data: { unknown: ['nobody'] },
  })
  expect(await send({ username: teacher.username })).toMatchObject(missing)
  expect(await send({ username: ta.username })).toMatchObject(missing)
  const noColumn = { status: 404, code: 'column_not_found' }
  for (const columnId of [total, elsewhere.manual, 999_999])
    expect(await send({ columnId })).toMatchObject({ ...noColumn, data: { unknown: [columnId] } })
  const other = { columnId: world.homeworkColumn }
  const fields = [
    [{ ...other, points: 1.234 }, ['edits', 1, 'points']],
    [{ ...other, points: -1 }, ['edits', 1, 'points']],
    [{ ...other, points: 'many' }, ['edits', 1, 'points']],
    [{ points: 2 }, ['edits', 1]],
  ] as const
  for (const [edit, path] of fields)
    expect(await send(edit)).toMatchObject({ status: 400, code: 'bad_body', data: [{ path }] })
  expect((await student.patch(book, { edits: [good] })).status).toBe(403)
  expect(await firstValue`select count(*) from mark_settings where column_id = ${manual}`).toBe(0)
})

test('2,000 cells are set at once', async () => {
  const world = await createBook()
  const { ta, book, courseId } = world
  const people = Array.from({ length: 40 }, (_, index) => `many${courseId}x${index}`)
  const names = JSON.stringify(people)
  await runSql`insert into users (username, username_key, email, displayed_name, role, active, created_at)
    select value, value, value, value, 2, 1, 1 from json_each(${names})`
  await runSql`insert into memberships (course_id, user_id, role, joined_at)
    select ${courseId}, id, 'student', 1 from users where username in (select value from json_each(${names}))`
  await runSql`insert into gradebook_columns (course_id, kind, name, max, shown)
    select ${courseId}, 'manual', 'Column ' || key, 1000, 'no' from json_each(${names}) limit 50`
  await runSql`insert into gradebook_columns (course_id, kind, name, max, shown)
    select ${courseId}, 'manual', 'Further ' || key, 1000, 'no' from json_each(${names}) limit 9`
  const last = Number(
    await firstValue`select max(id) from gradebook_columns where course_id = ${courseId}`,
  )
  const columns = Array.from({ length: 50 }, (_, index) => last - index)
  const edits = columns.flatMap((columnId) =>
    people.map((username) => ({ username, columnId, points: 7 })),
  )
  const made = await ta.patch(book, { edits, reason: 'r'.repeat(500) })
  expect(made.status).toBe(200)
  expect(made.data.cells).toHaveLength(2_000)
  // What was set is answered before all marks are computed.
  expect(made.data.cells.every(({ cell: [points] }: { cell: [number] }) => points === 7)).toBe(true)
  // An operation computes the rest. It is nobody's, because also a student's change may begin it.
  await expect
    .poll(
      () =>
        allRows`select owner_id from operations where kind = 'marks' and payload ->> 'courseId' = ${courseId}`,
    )
    .toEqual([{ owner_id: null }])
  expect(await markAudit(world.course)).toHaveLength(2_000)
  // So is what was taken back.
  await refreshAll(courseId)
  const none = edits.map((edit) => ({ ...edit, points: null }))
  const cleared: { cell: [number | null] }[] = (await ta.patch(book, { edits: none })).data.cells
  expect([cleared.length, cleared.every(({ cell: [points] }) => points === null)]).toEqual([
    2_000,
    true,
  ])
  const more = [...edits, { username: world.student.username, columnId: last, points: 1 }]
  expect((await ta.patch(book, { edits: more })).status).toBe(400)
})
