/** A change of dates lowers no mark before staff confirm. */
import { expect, test } from 'vitest'
import { createDatedHomework, handIn, HOUR, keptFor, markFor } from '../support/dated-homework.ts'
import { allRows, firstRow } from '../support/sql.ts'
import { addStudents } from '../support/world.ts'

test('an override that is taken back leaves the higher mark until staff confirm', async () => {
  const world = await createDatedHomework()
  const { path, student, ta, now, homeworkId, problemId, course } = world
  const { username } = student
  await handIn(student, problemId, 80, now)
  expect(await markFor(world, student)).toBe(72)
  const given = { overrides: [{ username, due: now + HOUR }] }
  expect((await ta.put(`${path}/overrides`, given)).data).toEqual({ kept: 0 })
  expect([await markFor(world, student), await keptFor(homeworkId, student)]).toEqual([80, null])
  const taken = await ta.delete(`${path}/overrides`, { usernames: [username] })
  expect(taken.data).toEqual({ kept: 1 })
  expect([await markFor(world, student), await keptFor(homeworkId, student)]).toEqual([80, 8_000])
  const user = { username, displayedName: `The ${username}`, role: 2 }
  expect((await ta.get(`${path}/kept-marks`)).data).toEqual([
    { user, problemId, problemName: 'A plus B', kept: 80, now: 72 },
  ])
  expect((await ta.get(`${path}/dates`)).data.people[0]).toMatchObject({ kept: 1 })
  const confirmed = await ta.post(`${path}/kept-marks/confirm`, { usernames: [username] })
  expect(confirmed.status).toBe(200)
  expect((await ta.get(`${path}/kept-marks`)).data).toEqual([])
  expect([await markFor(world, student), await keptFor(homeworkId, student)]).toEqual([72, null])
  const entry = await firstRow<{ detail: string }>`select detail from audit_entries
    where action = 'homework.marks.confirm' and subject = ${homeworkId}`
  expect(JSON.parse(entry?.detail ?? '')).toEqual({
    course,
    forAll: false,
    people: 1,
    usernames: [username],
  })
})

test('a change for all keeps what everybody has, however often it changes; dates that give the marks back forget them', async () => {
  const world = await createDatedHomework()
  const { path, student, ta, now, homeworkId, problemId } = world
  const [other, idle] = await addStudents(world, 2)
  if (!other || !idle) throw new Error('there is nobody')
  await handIn(student, problemId, 80, now)
  await handIn(other, problemId, 50, now - 2 * HOUR)
  await handIn(idle, problemId, 0, now)
  const forAll = (latePercent: number | null) =>
    ta.put(`${path}/overrides`, { overrides: [{ username: null, latePercent }] })
  expect((await forAll(50)).data).toEqual({ kept: 1 })
  expect((await forAll(20)).data).toEqual({ kept: 1 })
  expect((await ta.get(`${path}/kept-marks`)).data).toMatchObject([{ kept: 72, now: 16 }])
  expect(
    await allRows`select user_id, value from kept_marks where homework_id = ${homeworkId}`,
  ).toEqual([{ user_id: student.id, value: 7_200 }])
  expect((await forAll(null)).data).toEqual({ kept: 0 })
  expect(await keptFor(homeworkId, student)).toBeNull()
})

test('a mark of nothing at all may be kept: the submission came before the new opening', async () => {
  const { path, student, ta, now, problemId } = await createDatedHomework({ points: [50] })
  const { username } = student
  await handIn(student, problemId, 80, now - 2 * HOUR)
  const later = { overrides: [{ username, opens: now, due: now + HOUR }] }
  expect((await ta.put(`${path}/overrides`, later)).data).toEqual({ kept: 1 })
  expect((await ta.get(`${path}/kept-marks`)).data).toMatchObject([{ kept: 40, now: 0 }])
})

test('a refused change keeps nothing, and a better submission takes the place of a kept mark', async () => {
  const { path, student, ta, now, homeworkId, problemId } = await createDatedHomework()
  const { username } = student
  await handIn(student, problemId, 80, now)
  const set = (fields: object) =>
    ta.put(`${path}/overrides`, { overrides: [{ username, latePercent: 10, ...fields }] })
  expect((await set({ opens: now })).code).toBe('bad_dates')
  expect(await keptFor(homeworkId, student)).toBeNull()
  expect((await set({})).data).toEqual({ kept: 1 })
  await handIn(student, problemId, 100, now - 2 * HOUR)
  expect((await ta.get(`${path}/kept-marks`)).data).toEqual([])
  expect((await ta.get(`${path}/dates`)).data.people[0]).toMatchObject({ kept: 0 })
})
