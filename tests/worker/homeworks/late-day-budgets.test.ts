/** Budgets of late days: staff replace them as a whole; what pages read for them. */
import { expect, test } from 'vitest'
import { createTerm, DAY, handedIn, homeworkOf, HOUR, setBudget } from '../support/late-days.ts'
import { countedTrips } from '../support/round-trips.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import { addStudents, createCourse, type Person } from '../support/world.ts'

const RULE = { size: 3, mostEach: 1, spending: 'asked', movesClosing: true }

test('staff replace the budgets; those that stay keep their ids, even if they swap their names', async () => {
  const term = await createTerm([{}, {}, {}])
  const { course, teacher, ta, student, homeworks } = term
  const path = `/course/${course}/late-days`
  const ids = homeworks.map(({ id }) => id)
  const put = (budgets: object[], etag?: string) =>
    ta.put(path, { budgets }, etag === undefined ? {} : { 'If-Match': etag })
  const versions = async () =>
    (
      await allRows<{ version: number }>`select version from homeworks where id in
      (select value from json_each(${JSON.stringify(ids)})) order by end_at`
    ).map(({ version }) => version)
  const courseVersion = () => firstValue<number>`select version from courses where name = ${course}`
  const before = await courseVersion()
  const one = { ...RULE, id: null, name: 'One', homeworkIds: ids.slice(0, 1) }
  const two = { ...RULE, id: null, name: 'Two', size: 2, homeworkIds: ids.slice(1, 2) }
  expect(await put([one, two])).toMatchObject({ status: 200 })
  expect(await versions()).toEqual([2, 2, 1])
  expect(await courseVersion()).toBe((before ?? 0) + 1)
  const first = await ta.get(path)
  const [a, b] = first.data.budgets
  expect([a, b]).toEqual([
    { ...one, id: a.id },
    { ...two, id: b.id },
  ])
  expect(first.data.people).toEqual([
    {
      user: { username: student.username, displayedName: `The ${student.username}`, role: 2 },
      budgets: [
        { left: 3, uses: [] },
        { left: 2, uses: [] },
      ],
    },
  ])
  // A student's tag tells of no edit.
  expect((await student.get(path)).headers.get('ETag')).not.toMatch(/"v/)
  const swapped = [
    { ...a, name: 'Two', homeworkIds: ids.slice(1) },
    { ...b, name: 'One', homeworkIds: [] },
  ]
  const etag = first.headers.get('ETag') ?? ''
  expect(await put(swapped, etag)).toMatchObject({ status: 200 })
  expect((await teacher.get(path)).data.budgets).toEqual(swapped)
  expect(await versions()).toEqual([3, 3, 2])
  expect((await student.get(`/homework/${ids[0]}`)).data.lateDays).toBeNull()
  expect(await put(swapped, etag)).toMatchObject({ status: 409, code: 'stale_edit' })
  expect(
    await firstRow`select subject, detail from audit_entries where action = 'course.late_days' order by id desc`,
  ).toEqual({ subject: course, detail: '{"budgets":2}' })
  expect(await put([])).toMatchObject({ status: 200 })
  expect((await student.get(`/homework/${ids[1]}`)).data).toMatchObject({ lateDays: null })
  expect(await put([{ ...a, name: 'Deleted' }])).toMatchObject({ status: 409, code: 'stale_edit' })
})

test('names that stand twice, homeworks and budgets of other courses, and students’ edits are refused', async () => {
  const term = await createTerm([{}])
  const other = await createTerm([{}])
  await setBudget(other)
  const path = `/course/${term.course}/late-days`
  const { id } = homeworkOf(term, 0)
  const foreign = homeworkOf(other, 0).id
  const budget = { ...RULE, id: null, name: 'Days', homeworkIds: [id] }
  const put = (budgets: object[], as: Person = term.ta) => as.put(path, { budgets })
  expect(await put([budget, { ...budget, homeworkIds: [] }])).toMatchObject({
    status: 409,
    code: 'budget_exists',
  })
  expect(await put([{ ...budget, homeworkIds: [id, foreign] }])).toMatchObject({
    status: 404,
    code: 'homework_not_found',
    data: { unknown: [foreign] },
  })
  const theirs = (await other.ta.get(`/course/${other.course}/late-days`)).data.budgets[0]
  expect(await put([{ ...budget, id: theirs.id }])).toMatchObject({ code: 'stale_edit' })
  expect(await put([budget], term.student)).toMatchObject({ status: 403 })
  const faults = (await put([{ ...budget, size: 0, spending: 'often' }])).data
  expect(faults.map(({ path: at }: { path: unknown[] }) => at.join('.'))).toEqual([
    'budgets.0.size',
    'budgets.0.spending',
  ])
  expect((await term.ta.get(path)).data.budgets).toEqual([])
  const { student: outsider } = await createCourse()
  expect(await outsider.get(path)).toMatchObject({ status: 404, code: 'course_not_found' })
  // The other course is as it was.
  expect((await other.ta.get(`/course/${other.course}/late-days`)).data.budgets).toEqual([theirs])
})

test('a student sees only their own late days; a scoreboard adds up everybody’s', async () => {
  const term = await createTerm([{}, {}])
  const { course, student, ta } = term
  const [classmate] = await addStudents(term, 1)
  if (!classmate) throw new Error('no classmate')
  await setBudget(term, { size: 1 })
  await handedIn(term, student, 0, DAY, 100)
  await handedIn(term, classmate, 0, HOUR, 50)
  await handedIn(term, classmate, 1, HOUR, 100)
  const tableOf = async (as: Person) =>
    (await as.get(`/course/${course}/late-days`)).data.people.map(
      ({ user, budgets }: { user: { username: string }; budgets: object[] }) => [
        user.username,
        budgets,
      ],
    )
  const use = (index: number, gain: number) => {
    const { id } = homeworkOf(term, index)
    return [{ left: 0, uses: [{ homeworkId: id, name: `H${index}`, days: 1, gain }] }]
  }
  const own = [student.username, use(0, 10)]
  const other = [classmate.username, use(1, 10)]
  expect(await tableOf(student)).toEqual([own])
  expect(await tableOf(classmate)).toEqual([other])
  expect(await tableOf(ta)).toEqual([own, other])
  const board = (await student.get(`/homework/${homeworkOf(term, 0).id}/scoreboard`)).data
  expect([board.own.sum, board.others.map(({ sum }: { sum: number }) => sum)]).toEqual([100, [45]])
})

test('a day in one homework makes a page read the budget’s other homeworks, in as many round trips as it may', async () => {
  const term = await createTerm(Array.from({ length: 8 }, () => ({})))
  const { course, student, now, homeworks } = term
  const last = homeworkOf(term, 7)
  await runSql`update homeworks set end_at = ${now + DAY}, close_at = null where id = ${last.id}`
  for (const index of homeworks.keys()) await handedIn(term, student, index, HOUR, 50)
  const costOf = async (path: string) => {
    const { status, trips } = await recordCall('GET', path, { as: student })
    expect(status).toBe(200)
    const rows = trips.reduce((sum, trip) => sum + trip.rowsRead, 0)
    return { rows, trips: countedTrips(trips).length }
  }
  const pages = [`/course/${course}/homework`, '/homework', `/homework/${last.id}`]
  const before = await Promise.all(pages.map(costOf))
  await setBudget(term)
  const after = await Promise.all(pages.map(costOf))
  // The list of a course reads all homeworks anyway.
  expect((after[0]?.rows ?? 0) - (before[0]?.rows ?? 0)).toBeLessThanOrEqual(2 * homeworks.length)
  for (const { rows } of after) expect(rows).toBeLessThan(60 * homeworks.length)
  for (const { trips } of [...before, ...after]) expect(trips).toBe(2)
})
