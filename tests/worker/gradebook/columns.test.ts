/** The columns of a gradebook: what their form may say, that it is written whole or not at all, and who sees the total. */
import { expect, test } from 'vitest'
import {
  columnOf,
  columnsOf,
  createFormBook,
  formOf,
  manual,
  markAudit,
} from '../support/gradebook.ts'
import { storeMark } from '../support/stored-marks.ts'
import { createDatedHomework } from '../support/dated-homework.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import { addStudents, createCourse } from '../support/world.ts'

const group = (name: string, changes: object = {}) => ({
  id: null,
  name,
  weight: null,
  dropLowest: 0,
  capPercent: 100,
  extra: false,
  ...changes,
})

test('a new course has a total of nothing; each homework brings a column with the points of its problems', async () => {
  const { course, teacher, homeworkId, problemId, form } = await createDatedHomework()
  const { columns, groups, total } = await columnsOf(teacher, course)
  expect(columns).toMatchObject([
    { kind: 'homework', homeworkId, name: form.name, max: 100, shown: 'yes', weight: null },
    { kind: 'total', homeworkId: null, name: '', max: 100, shown: 'no' },
  ])
  expect(groups).toEqual([])
  expect(total).toEqual({ outOf: null, decimals: 2, forAssistants: false, max: 100 })
  await runSql`update problems set status = 1 where id = ${problemId}`
  const hidden = await columnsOf(teacher, course)
  expect(hidden.columns.map(({ max }: { max: number }) => max)).toEqual([0, 0])
})

test('the form writes groups, columns in their order, and the rule of the total', async () => {
  const { course, teacher, path, ids } = await createFormBook(
    [
      manual('Oral exam', 12.5, { group: 1 }),
      manual('Attendance', 10, { group: 0, weight: 5, extra: true }),
    ],
    {
      groups: [group('Rest', { weight: 40, dropLowest: 1 }), group('Exams', { capPercent: 120 })],
      total: { outOf: 100, decimals: 0, forAssistants: true },
    },
  )
  const read = await columnsOf(teacher, course)
  const [rest, exams] = read.groups
  expect([rest, exams]).toMatchObject([
    { name: 'Rest', weight: 40, dropLowest: 1, capPercent: 100, extra: false },
    { name: 'Exams', weight: null, dropLowest: 0, capPercent: 120, extra: false },
  ])
  expect(read.columns).toMatchObject([
    { kind: 'manual', name: 'Oral exam', max: 12.5, groupId: exams.id, weight: null, shown: 'no' },
    { kind: 'manual', name: 'Attendance', max: 10, groupId: rest.id, weight: 5, extra: true },
    { kind: 'total', max: 100 },
  ])
  expect(read.total).toEqual({ outOf: 100, decimals: 0, forAssistants: true, max: 100 })
  const [oral = 0, attendance = 0] = ids
  const changed = formOf(
    [
      { id: attendance, group: null, weight: null },
      { id: oral, name: 'Oral', max: 20, group: 0, weight: 3 },
    ],
    { groups: [{ ...exams, name: 'Examinations' }] },
  )
  expect(await teacher.put(`${path}/columns`, changed)).toMatchObject({ status: 200 })
  const after = await columnsOf(teacher, course)
  expect(after.groups).toEqual([{ ...exams, name: 'Examinations' }])
  expect(after.columns).toMatchObject([
    { id: attendance, name: 'Attendance', max: 10, groupId: null, weight: null, extra: false },
    { id: oral, name: 'Oral', max: 20, groupId: exams.id, weight: 3 },
    { kind: 'total', max: 3 },
  ])
})

test('the audit log says what an edit changes about columns, and which marks go with them', async () => {
  const { course, teacher, student, ta, path, ids } = await createFormBook(
    [manual('Oral', 10, { group: 0 }), manual('Attendance', 10), manual('Board', 5)],
    { groups: [group('Exams')] },
  )
  const [oral = 0, attendance = 0, board = 0] = ids
  const [exams] = (await columnsOf(teacher, course)).groups
  await storeMark(student, oral, { hundredths: 700 })
  await storeMark(student, board, { hundredths: 250 })
  await storeMark(ta, board, { hundredths: null, isExcused: true })
  const kept = { group: null, weight: null }
  const total = { outOf: 50, decimals: 1, forAssistants: true }
  const form = formOf(
    [
      { ...kept, id: attendance },
      { id: oral, max: 12.5, group: 1, weight: 3, extra: true },
    ],
    { groups: [exams, group('New')], deleted: [board], total },
  )
  expect(await teacher.put(`${path}/columns`, form)).toMatchObject({ status: 200 })
  const { subject, detail } =
    (await firstRow`select subject, detail from audit_entries where action = 'gradebook.edit' order by id desc limit 1`) ??
    {}
  expect(subject).toBe(course)
  const rule = { weight: null, extra: false }
  expect(JSON.parse(String(detail))).toEqual({
    groups: 2,
    columns: 2,
    deleted: 1,
    total,
    changed: [
      {
        id: oral,
        column: 'Oral',
        before: { ...rule, max: 10, group: 'Exams' },
        after: { max: 12.5, weight: 3, extra: true, group: 'New' },
      },
    ],
  })
  const gone = { action: 'mark.set', course, column: 'Board' }
  const none = { points: null, excused: false }
  const entries = [
    { ...gone, username: student.username, before: { points: 2.5, excused: false }, after: none },
    { ...gone, username: ta.username, before: { points: null, excused: true }, after: none },
  ]
  const found = await markAudit(course)
  expect(found).toHaveLength(2)
  expect(found).toEqual(expect.arrayContaining(entries))
})

test('homeworks that the form leaves out stay behind the others in their order', async () => {
  const world = await createDatedHomework({ name: 'One' })
  const { course, teacher, form } = world
  const other = async (name: string) =>
    String((await teacher.post('/homework', { ...form, courseName: course, name })).data.id)
  const homeworks = [world.homeworkId, await other('Two'), await other('Three')]
  const [one = 0, two = 0, three = 0] = await Promise.all(homeworks.map(columnOf))
  const path = `/course/${course}/gradebook/columns`
  const named = (id: number) => ({ id, name: 'Ignored', max: 1, group: null, weight: null })
  const orderAfter = async (ids: number[]) => {
    expect(await teacher.put(path, formOf(ids.map(named)))).toMatchObject({ status: 200 })
    return (await columnsOf(teacher, course)).columns.map(({ name }: { name: string }) => name)
  }
  expect(await orderAfter([three, one, two])).toEqual(['Three', 'One', 'Two', ''])
  expect(await orderAfter([two])).toEqual(['Two', 'Three', 'One', ''])
  expect(await orderAfter([one])).toEqual(['One', 'Two', 'Three', ''])
})

test('a column goes with its marks only if the form says so', async () => {
  const { course, teacher, student, path, ids } = await createFormBook([
    manual('Oral', 10),
    manual('Attendance', 10),
  ])
  const [oral = 0, attendance = 0] = ids
  await storeMark(student, oral, { hundredths: 500 })
  const kept = { id: attendance, group: null, weight: null }
  const unsaid = await teacher.put(`${path}/columns`, formOf([kept]))
  expect(unsaid).toMatchObject({ status: 409, code: 'stale_edit' })
  const said = await teacher.put(`${path}/columns`, formOf([kept], { deleted: [oral] }))
  expect(said).toMatchObject({ status: 200 })
  expect((await columnsOf(teacher, course)).columns).toMatchObject([
    { id: attendance },
    { kind: 'total' },
  ])
  expect(await firstValue`select count(*) from marks where column_id = ${oral}`).toBe(0)
})

test('a refused form changes nothing', async () => {
  const { course, teacher, path, ids } = await createFormBook([manual('Oral', 10)], {
    groups: [group('Exams')],
  })
  const foreign = await createFormBook([manual('Elsewhere', 10)], { groups: [group('Elsewhere')] })
  const { homeworkId } = await createDatedHomework()
  const [oral = 0, total = 0] = ids
  const before = await columnsOf(teacher, course)
  const own = { id: oral, name: 'Changed', max: 5, group: null, weight: null }
  const [elsewhere] = (await columnsOf(foreign.teacher, foreign.course)).groups
  const refused: [object, number, string, unknown][] = [
    [formOf([own, { ...own, id: total }]), 404, 'column_not_found', { unknown: [total] }],
    [
      formOf([own, { ...own, id: foreign.ids[0] ?? 0 }]),
      404,
      'column_not_found',
      { unknown: [foreign.ids[0]] },
    ],
    [
      formOf([own], { deleted: [foreign.ids[0]] }),
      404,
      'column_not_found',
      { unknown: [foreign.ids[0]] },
    ],
    [formOf([own], { deleted: [total] }), 404, 'column_not_found', { unknown: [total] }],
    [
      formOf([own], { deleted: [await columnOf(homeworkId)] }),
      404,
      'column_not_found',
      expect.anything(),
    ],
    [formOf([own], { groups: [elsewhere] }), 409, 'stale_edit', null],
    [
      formOf([own, own]),
      400,
      'bad_body',
      [expect.objectContaining({ path: ['columns', 1, 'id'] })],
    ],
    [
      formOf([{ ...own, group: 1 }]),
      400,
      'bad_body',
      [expect.objectContaining({ path: ['columns', 0, 'group'] })],
    ],
    [
      formOf([own], { deleted: [oral] }),
      400,
      'bad_body',
      [expect.objectContaining({ path: ['deleted', 0] })],
    ],
    [
      formOf([own, { id: null, group: null, weight: null }]),
      400,
      'bad_body',
      [
        expect.objectContaining({ path: ['columns', 1, 'name'], code: 'required' }),
        expect.objectContaining({ path: ['columns', 1, 'max'], code: 'required' }),
      ],
    ],
  ]
  for (const [form, status, code, data] of refused)
    expect(await teacher.put(`${path}/columns`, form)).toMatchObject({ status, code, data })
  expect(await columnsOf(teacher, course)).toEqual(before)
})

test('an edit of an older version is refused', async () => {
  const { course, teacher } = await createCourse()
  const path = `/course/${course}/gradebook/columns`
  const { tag } = await columnsOf(teacher, course)
  const first = await teacher.put(path, formOf([manual('Oral', 10)]), { 'If-Match': tag })
  expect(first).toMatchObject({ status: 200 })
  const second = await teacher.put(path, formOf([]), { 'If-Match': tag })
  expect(second).toMatchObject({ status: 409, code: 'stale_edit' })
})

test('only what decides about totals makes them stale', async () => {
  const { course, teacher, path, ids } = await createFormBook([
    manual('Oral', 10),
    manual('Board', 10),
  ])
  await addStudents({ course, teacher }, 2)
  const [oral = 0, board = 0, total = 0] = ids
  const staleAfter = async (form: object) => {
    await runSql`delete from stale_marks where column_id = ${total}`
    expect(await teacher.put(`${path}/columns`, form)).toMatchObject({ status: 200 })
    return (await allRows`select 1 from stale_marks where column_id = ${total}`).length
  }
  const same = [
    { id: oral, group: null, weight: null },
    { id: board, group: null, weight: null },
  ]
  const shown = { total: { outOf: null, decimals: 2, forAssistants: true } }
  expect(await staleAfter(formOf(same))).toBe(0)
  expect(await staleAfter(formOf(same, shown))).toBe(0)
  expect(await staleAfter(formOf(same.toReversed()))).toBe(3)
  expect(await staleAfter(formOf([{ ...same[0], weight: 3 } as never, same[1] as never]))).toBe(3)
})

test('assistants see the total only where the teacher lets them, and change no column', async () => {
  const { course, teacher, ta, student, path, ids } = await createFormBook([manual('Oral', 10)])
  const kindsFor = async () =>
    (await columnsOf(ta, course)).columns.map(({ kind }: { kind: string }) => kind)
  expect(await kindsFor()).toEqual(['manual'])
  const form = formOf([{ id: ids[0] ?? 0, group: null, weight: null }], {
    total: { outOf: null, decimals: 2, forAssistants: true },
  })
  expect(await ta.put(`${path}/columns`, form)).toMatchObject({ status: 403 })
  expect(await student.get(`${path}/columns`)).toMatchObject({ status: 403 })
  await teacher.put(`${path}/columns`, form)
  expect(await kindsFor()).toEqual(['manual', 'total'])
})
