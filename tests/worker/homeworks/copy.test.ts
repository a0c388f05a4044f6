/** A homework alone comes back, in its own course or in another one. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import type { SessionUser } from '../../../worker/db/sessions.ts'
import { copyHomework, findCopyAccess } from '../../../worker/features/copies/homework-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { insertOverride } from '../support/dates.ts'
import { createDatedHomework, HOUR } from '../support/dated-homework.ts'
import { countedTrips } from '../support/round-trips.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import { createCourse, createPerson, problemForm, uniqueName } from '../support/world.ts'

/** A homework with two problems in turned order, and another course of its teacher. */
async function createWorld() {
  const world = await createDatedHomework()
  const { teacher, course, problemId, form } = world
  const second = problemForm({ problemName: 'Second' })
  const { data } = await teacher.post('/problem/manage', { course, ...second })
  const whole = {
    ...form,
    markdown: 'Text',
    problemIds: [data.problemId, problemId],
    points: [10, 90],
  }
  await teacher.put(world.path, whole)
  const other = await createCourse()
  await runSql`update courses set teacher_id = ${teacher.id} where name = ${other.course}`
  const start = nowSeconds()
  const dates = { start, end: start + HOUR, close: start + 2 * HOUR }
  return { ...world, whole, other, dates, copyPath: `${world.path}/copy` }
}

test('in another course it has copies of its problems, with their test data', async () => {
  const { teacher, other, whole, dates, copyPath, problemId, homeworkId, course } =
    await createWorld()
  const answer = await teacher.post(copyPath, { courseName: other.course, ...dates })
  const { id } = answer.data
  const { data } = await other.student.get(`/homework/${id}`)
  expect(data).toMatchObject({
    name: whole.name,
    course: other.course,
    markdown: 'Text',
    lateRule: whole.lateRule,
    points: [10, 90],
    ...dates,
  })
  const names = data.problems.map((each: { problemName: string }) => each.problemName)
  expect(names).toEqual(['Second', 'A plus B'])
  const [, copyId] = data.problemIds
  expect(copyId).toBeGreaterThan(problemId)
  const keyOf = (problem: number) => firstValue`select v.object_key from problems p
    join test_data_versions v on v.id = p.test_data_version and v.problem_id = p.id where p.id = ${problem}`
  expect(await keyOf(copyId)).toBe(await keyOf(problemId))
  expect(await firstRow`select action, detail from audit_entries where subject = ${id}`).toEqual({
    action: 'homework.copy',
    detail: JSON.stringify({ from: homeworkId, course, to: other.course }),
  })
  const again = await teacher.post(copyPath, { courseName: other.course, ...dates })
  expect(again.code).toBe('homework_exists')
  expect(
    await firstValue`select count(*) from problems p join courses c on c.id = p.course_id
    where c.name = ${other.course}`,
  ).toBe(2)
})

test('in its own course it has the same problems; dates of people and late days stay behind', async () => {
  const { ta, student, course, whole, dates, copyPath, homeworkId, teacher } = await createWorld()
  await insertOverride(homeworkId, student, teacher, { due: 9_999_999_999 })
  await insertOverride(homeworkId, null, teacher, { due: 9_999_999_999 })
  await runSql`insert into late_day_budgets (course_id, name, size, most_each, spending, moves_closing)
    select id, 'Slip', 5, 2, 'auto', 0 from courses where name = ${course}`
  await runSql`update homeworks set budget_id = (select max(id) from late_day_budgets) where id = ${homeworkId}`
  expect((await ta.post(copyPath, { courseName: course, ...dates })).code).toBe('homework_exists')
  const name = uniqueName('Again ')
  const { data } = await ta.post(copyPath, { courseName: course, name, ...dates })
  const copy = await ta.get(`/homework/${data.id}`)
  expect(copy.data).toMatchObject({ name, problemIds: whole.problemIds, points: [10, 90] })
  expect(await allRows`select * from homework_overrides where homework_id = ${data.id}`).toEqual([])
  expect(await firstValue`select budget_id from homeworks where id = ${data.id}`).toBeNull()
})

test('a deleted problem stays behind', async () => {
  const { teacher, other, course, dates, copyPath, problemId } = await createWorld()
  await teacher.delete(`/problem/manage/${problemId}`)
  for (const courseName of [other.course, course]) {
    const name = uniqueName('Shorter ')
    const { data } = await teacher.post(copyPath, { courseName, name, ...dates })
    const names =
      await allRows`select p.name from homework_problems hp join problems p on p.id = hp.problem_id
      where hp.homework_id = ${data.id}`
    expect(names).toEqual([{ name: 'Second' }])
  }
})

test('one round trip finds both courses, and a homework that is deleted meanwhile is not copied', async () => {
  const { teacher, course, other, dates, copyPath, path, homeworkId } = await createWorld()
  const json = { courseName: other.course, ...dates }
  const { status, trips } = await recordCall('POST', copyPath, { as: teacher, json })
  // Besides the session: the courses, the copy.
  expect([status, countedTrips(trips).length]).toEqual([200, 2])
  const db = openDb(env.DB)
  const { id, username } = teacher
  const rest = { displayedName: '', email: '', emailConfirmedAt: 1, confirmDueAt: null, bio: '' }
  const user: SessionUser = { id, username, role: 1, ...rest }
  const { access, target } = await findCopyAccess(db, user, homeworkId, course)
  if (!access || !target) throw new Error('not found')
  await teacher.delete(path)
  const count = () => firstValue`select count(*) from problems`
  const before = await count()
  const change = { actor: user, ip: '', now: 1 }
  await expect(
    copyHomework(db, access, target, { name: 'Late', ...dates }, change),
  ).rejects.toMatchObject({ code: 'homework_not_found' })
  expect(await count()).toBe(before)
})

test('it takes staff of both courses', async () => {
  const { teacher, ta, student, other, course, dates, copyPath } = await createWorld()
  const into = (courseName: string) => ({ courseName, ...dates })
  expect((await student.post(copyPath, into(course))).code).toBe('forbidden')
  expect((await (await createPerson(1)).post(copyPath, into(course))).code).toBe(
    'homework_not_found',
  )
  expect((await ta.post(copyPath, into(other.course))).code).toBe('course_not_found')
  expect((await teacher.post(copyPath, into('No such course'))).code).toBe('course_not_found')
  expect((await teacher.post(copyPath, into('Public'))).code).toBe('forbidden')
  const late = { ...into(course), close: dates.end - 1 }
  expect((await teacher.post(copyPath, late)).data).toMatchObject([
    { path: ['close'], code: 'min_value', params: { min: dates.end } },
  ])
  expect((await teacher.post(copyPath, dates)).data).toMatchObject([{ path: ['courseName'] }])
})
