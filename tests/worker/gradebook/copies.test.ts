/** The gradebook of a copied course, and the column of a copied homework. */
import { expect, test } from 'vitest'
import { columnOf, columnsOf, formOf, manual } from '../support/gradebook.ts'
import { storeMark } from '../support/stored-marks.ts'
import { createDatedHomework } from '../support/dated-homework.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { uniqueName } from '../support/world.ts'

/** A course with two homeworks and a manual column, all in groups, shown and marked. */
async function createSource() {
  const world = await createDatedHomework({ name: 'One' })
  const { course, teacher, student, form, now } = world
  const two = await teacher.post('/homework', { ...form, courseName: course, name: 'Two' })
  const homeworkIds = [world.homeworkId, String(two.data.id)]
  const [one = 0, second = 0] = await Promise.all(homeworkIds.map(columnOf))
  const rule = { id: null, weight: null, dropLowest: 0, capPercent: 100, extra: false }
  const columns = [
    { ...manual('Oral', 20), group: 1, weight: 7.5 },
    { id: second, group: 0, weight: 3 },
    { id: one, group: 0, weight: null, extra: true },
  ]
  const sent = formOf(columns, {
    groups: [
      { ...rule, name: 'Homeworks', weight: 60, dropLowest: 1 },
      { ...rule, name: 'Exams', capPercent: 110, extra: true },
    ],
    total: { outOf: 80, decimals: 1, forAssistants: true },
  })
  const saved = await teacher.put(`/course/${course}/gradebook/columns`, sent)
  if (saved.status !== 200) throw new Error(saved.message)
  await runSql`update gradebook_columns set shown = 'yes' where kind <> 'homework'`
  await runSql`update gradebook_columns set shown = 'no' where homework_id = ${homeworkIds[0]}`
  await storeMark(student, one, { hundredths: 500 })
  return { ...world, homeworkIds, dates: { start: now, end: now + 100 } }
}

test('groups, manual columns, weights and the rule come along; marks and what is shown stay behind', async () => {
  const { course, teacher, homeworkIds, dates } = await createSource()
  const copy = uniqueName('Copy ')
  const homeworks = homeworkIds.map((id) => ({ id, ...dates }))
  expect(await teacher.post(`/course/${course}/copy`, { course: copy, homeworks })).toMatchObject({
    status: 200,
  })
  const before = await columnsOf(teacher, course)
  const after = await columnsOf(teacher, copy)
  const named = ({ groups, columns, total }: typeof before) => ({
    total,
    groups: groups.map(({ id: _g, ...group }: { id: number }) => group),
    columns: columns.map(
      ({ id: _c, homeworkId: _h, shown: _s, groupId, ...column }: typeof before) => ({
        ...column,
        group: groups.find(({ id }: { id: number }) => id === groupId)?.name,
      }),
    ),
  })
  expect(named(after)).toEqual(named(before))
  expect(
    named(after).columns.map(({ name, group }: { name: string; group: string }) => [name, group]),
  ).toEqual([
    ['Oral', 'Exams'],
    ['Two', 'Homeworks'],
    ['One', 'Homeworks'],
    ['', undefined],
  ])
  expect(after.columns.map(({ shown }: { shown: string }) => shown)).toEqual([
    'no',
    'yes',
    'yes',
    'no',
  ])
  const ids = JSON.stringify(after.columns.map(({ id }: { id: number }) => id))
  expect(
    await firstValue`select count(*) from marks where column_id in (select value from json_each(${ids}))`,
  ).toBe(0)
})

test('homeworks that stay behind leave no column', async () => {
  const { course, teacher, homeworkIds, dates } = await createSource()
  const copy = uniqueName('Copy ')
  await teacher.post(`/course/${course}/copy`, {
    course: copy,
    homeworks: [{ id: homeworkIds[1], ...dates }],
  })
  const { columns } = await columnsOf(teacher, copy)
  expect(columns.map(({ name }: { name: string }) => name)).toEqual(['Oral', 'Two', ''])
})

test('a homework that is copied alone has the column of a new homework', async () => {
  const { course, teacher, homeworkId, dates } = await createSource()
  const made = await teacher.post(`/homework/${homeworkId}/copy`, {
    courseName: course,
    name: 'Again',
    ...dates,
  })
  const columns =
    await allRows`select shown, weight, position, is_extra from gradebook_columns where homework_id = ${made.data.id}`
  expect(columns).toEqual([{ shown: 'yes', weight: null, position: null, is_extra: 0 }])
})
