/** Points that staff give. */
import { expect, test } from 'vitest'
import { createDatedHomework } from '../support/dated-homework.ts'
import { allRows, firstRow, firstValue } from '../support/sql.ts'
import { createPerson } from '../support/world.ts'

const pointsIn = (homeworkId: string) =>
  allRows`select problem_id, hundredths, comment, giver_id from staff_points
    where homework_id = ${homeworkId} order by problem_id`

test('points for a problem and for the homework are given, replaced and taken back one by one', async () => {
  const { path, student, teacher, ta, homeworkId, problemId, course } = await createDatedHomework()
  const { username } = student
  const give = (as: typeof ta, fields: object) => as.put(`${path}/points`, { username, ...fields })
  for (const status of [
    (await give(ta, { problemId, points: 70.25, comment: 'by hand' })).status,
    (await give(ta, { problemId: null, points: 5 })).status,
    (await give(teacher, { problemId, points: 0.07, comment: 'again' })).status,
  ])
    expect(status).toBe(200)
  const whole = { problem_id: null, hundredths: 500, comment: '', giver_id: ta.id }
  expect(await pointsIn(homeworkId)).toEqual([
    whole,
    { problem_id: problemId, hundredths: 7, comment: 'again', giver_id: teacher.id },
  ])
  expect((await give(ta, { problemId, points: null })).status).toBe(200)
  expect(await pointsIn(homeworkId)).toEqual([whole])
  const entry = await firstRow<{ detail: string }>`select detail from audit_entries
    where action = 'homework.points' and actor_id = ${teacher.id}`
  expect(JSON.parse(entry?.detail ?? '')).toEqual({
    course,
    forAll: false,
    people: 1,
    usernames: [username],
    problemId,
    points: 0.07,
  })
})

test('points are refused for strangers, for problems elsewhere and with three decimals', async () => {
  const { path, student, ta, homeworkId, problemId } = await createDatedHomework()
  const other = await createDatedHomework()
  const stranger = await createPerson(2)
  const form = { username: student.username, problemId, points: 1 }
  const give = (fields: object, as = ta) => as.put(`${path}/points`, { ...form, ...fields })
  expect(await give({ username: stranger.username })).toMatchObject({
    status: 404,
    code: 'user_not_found',
    data: { unknown: [stranger.username] },
  })
  expect((await give({ username: ta.username })).code).toBe('user_not_found')
  expect((await give({ problemId: other.problemId })).code).toBe('problem_not_found')
  expect((await give({ points: 0.001 })).status).toBe(400)
  expect((await give({}, student)).status).toBe(403)
  expect(await pointsIn(homeworkId)).toEqual([])
})

test('a homework stores its rule, its closing time and its points; 100 each if the form has none', async () => {
  const { path, homeworkId, problemId, teacher, form } = await createDatedHomework({
    graceMinutes: 5,
    counts: 'last',
    points: [30],
  })
  const stored = () =>
    firstRow`select close_at, grace_minutes, late_rule, counts,
      (select points from homework_problems where homework_id = homeworks.id and problem_id = ${problemId}) as points
      from homeworks where id = ${homeworkId}`
  expect(await stored()).toEqual({
    close_at: form.close,
    grace_minutes: 5,
    late_rule: JSON.stringify(form.lateRule),
    counts: 'last',
    points: 30,
  })
  const { name, start, end } = form
  const plain = { name, start, end, problemIds: [problemId] }
  expect((await teacher.put(path, plain)).status).toBe(200)
  expect(await stored()).toEqual({
    close_at: null,
    grace_minutes: 0,
    late_rule: '{"kind":"none"}',
    counts: null,
    points: 100,
  })
  expect(
    await firstValue`select count(*) from homework_problems where homework_id = ${homeworkId}`,
  ).toBe(1)
})
