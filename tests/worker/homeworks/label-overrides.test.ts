/** Dates that staff set for labels: what they give whom, what they keep, and what is refused. */
import { expect, test } from 'vitest'
import { addLabel, createDatedHomework, handIn, HOUR } from '../support/dated-homework.ts'
import { firstValue } from '../support/sql.ts'
import { addMember, addStudents } from '../support/world.ts'

interface Row {
  user: { username: string }
}

test('dates of labels stand before those for all and behind one’s own; of two the most generous counts', async () => {
  const world = await createDatedHomework()
  const { path, student, ta, now, form } = world
  const [other, third] = await addStudents(world, 2)
  if (!other || !third) throw new Error('there is nobody')
  const lab = await addLabel(world, 'Lab', [student, other])
  const slow = await addLabel(world, 'Needs more time', [student, other])
  const overrides = [
    { username: null, graceMinutes: 1, latePercent: 90, reason: 'for all' },
    { username: null, label: lab, due: now + HOUR, graceMinutes: 5, quota: 9, reason: 'Monday' },
    { username: null, label: slow, due: now + 2 * HOUR, graceMinutes: 3, quota: -1, reason: 'x' },
    { username: student.username, graceMinutes: 0, reason: 'own' },
  ]
  expect((await ta.put(`${path}/overrides`, { overrides })).status).toBe(200)
  const { labels, people } = (await ta.get(`${path}/dates`)).data
  expect(labels).toMatchObject([
    { label: lab, override: { due: now + HOUR, quota: 9, reason: 'Monday', by: ta.username } },
    { label: slow, override: { due: now + 2 * HOUR, quota: -1, reason: 'x' } },
  ])
  const ownOf = ({ username }: { username: string }) =>
    people.find((row: Row) => row.user.username === username).own
  const due = now + 2 * HOUR
  expect(ownOf(student)).toMatchObject({ due, graceMinutes: 0, latePercent: 90, why: 'own' })
  expect(ownOf(other)).toMatchObject({ due, graceMinutes: 5, latePercent: 90, why: 'x' })
  expect(ownOf(third)).toMatchObject({ due: form.end, graceMinutes: 1, why: 'for all' })
  expect((await other.get(path)).data.own).toEqual(ownOf(other))
  const { homeworks, ownQuota } = (await other.get(`/problem/${world.problemId}`)).data
  expect([homeworks[0].own, ownQuota]).toEqual([ownOf(other), -1])
  expect((await ta.get(path)).data.own).toMatchObject({ due: form.end, why: 'for all' })
  await ta.put(`${path}/overrides`, { overrides: [{ username: null, label: slow, due: null }] })
  expect((await other.get(path)).data.own).toMatchObject({ due: now + HOUR, graceMinutes: 5 })
  const taken = await ta.delete(`${path}/overrides`, { labels: [lab, slow] })
  expect(taken).toMatchObject({ status: 200, data: { kept: 0 } })
  expect((await other.get(path)).data.own).toEqual(ownOf(third))
})

test('dates of labels keep the marks of their people alone, and tell of them in the audit log', async () => {
  const world = await createDatedHomework()
  const { path, student, ta, now, problemId, homeworkId, course } = world
  const [other] = await addStudents(world, 1)
  if (!other) throw new Error('there is nobody')
  for (const person of [student, other]) await handIn(person, problemId, 80, now)
  const label = await addLabel(world, 'Strict', [student])
  const overrides = [{ username: null, label, latePercent: 10 }]
  expect((await ta.put(`${path}/overrides`, { overrides })).data).toEqual({ kept: 1 })
  expect((await ta.get(`${path}/kept-marks`)).data).toMatchObject([
    { user: { username: student.username }, kept: 72, now: 8 },
  ])
  const entry = await firstValue<string>`select detail from audit_entries
    where action = 'homework.override' and subject = ${homeworkId}`
  expect(JSON.parse(entry ?? '')).toEqual({
    course,
    forAll: false,
    people: 0,
    usernames: [],
    labels: [label],
    fields: ['latePercent'],
  })
  expect((await ta.delete(`${path}/overrides`, { labels: [label] })).data).toEqual({ kept: 0 })
  expect((await ta.get(`${path}/kept-marks`)).data).toEqual([])
})

test('dates of labels are refused for a label of another course, and for one person and a label at once', async () => {
  const world = await createDatedHomework()
  const { path, ta, student, now } = world
  const foreign = await addLabel(await createDatedHomework(), 'Lab', [])
  const due = now + HOUR
  const unknown = { code: 'label_not_found', data: { unknown: [foreign] } }
  const given = { overrides: [{ username: null, label: foreign, due }] }
  expect(await ta.put(`${path}/overrides`, given)).toMatchObject({ status: 404, ...unknown })
  expect(await ta.delete(`${path}/overrides`, { labels: [foreign] })).toMatchObject(unknown)
  const both = { overrides: [{ username: student.username, label: foreign, due }] }
  expect(await ta.put(`${path}/overrides`, both)).toMatchObject({ status: 400 })
})

test('dates of labels are refused when they contradict themselves, or with a student’s own', async () => {
  const world = await createDatedHomework()
  const { path, ta, student, form, now } = world
  const { username } = student
  const nobody = await addLabel(world, 'Nobody', [])
  const lab = await addLabel(world, 'Lab', [student])
  const set = (...overrides: object[]) => ta.put(`${path}/overrides`, { overrides })
  const refusal = (people: string[], labels: number[]) => ({
    code: 'bad_dates',
    data: { people, labels },
  })
  const late = { username: null, opens: now }
  expect(await set({ ...late, label: nobody })).toMatchObject(refusal([], [nobody]))
  expect(await set({ ...late, label: lab })).toMatchObject(refusal([username], [lab]))
  expect(await set({ username: null, label: nobody, closes: form.end - 1 })).toMatchObject(
    refusal([], [nobody]),
  )
  expect((await set({ ...late, label: lab, due: now + HOUR })).status).toBe(200)
  const own = { username, opens: now + 2 * HOUR }
  expect(await set(own)).toMatchObject(refusal([username], []))
  expect((await set({ ...own, due: now + 3 * HOUR })).status).toBe(200)
  // Without the label's due time the label would open after the homework is due.
  expect(await set({ username: null, label: lab, due: null })).toMatchObject(refusal([], [lab]))
  const put = await ta.put(path, { ...form, start: now - HOUR, end: now + 4 * HOUR, close: null })
  expect(put.status).toBe(200)
})

test('dates of labels rest while one is a teaching assistant, and tell nobody of the label', async () => {
  const world = await createDatedHomework()
  const { path, student, ta, teacher, now, form } = world
  const [other] = await addStudents(world, 1)
  const label = await addLabel(world, 'Needs more time', [student])
  const opens = now - 20 * HOUR
  const overrides = [{ username: null, label, opens, due: now + HOUR, reason: 'an illness' }]
  expect((await ta.put(`${path}/overrides`, { overrides })).status).toBe(200)
  const ownOf = async (as = student) => (await as.get(path)).data.own
  expect(await ownOf()).toMatchObject({ opens, due: now + HOUR, why: 'an illness' })
  const seen = JSON.stringify((await other?.get(path))?.data)
  expect(seen).not.toContain('an illness')
  await addMember(world, student, 'ta')
  expect(await ownOf()).toMatchObject({ due: form.end, why: null })
  // Nor do they stop an edit of the homework.
  const earlier = { ...form, start: opens - HOUR, end: opens - 1, close: null }
  expect((await teacher.put(path, earlier)).status).toBe(200)
  expect((await teacher.put(path, form)).status).toBe(200)
  await addMember(world, student, 'student')
  expect(await ownOf()).toMatchObject({ due: now + HOUR })
})
