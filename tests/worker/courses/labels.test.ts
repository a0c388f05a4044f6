/** Labels: who writes them, who sees them, what is refused, and what happens to dates and marks that hang on them. */
import { describe, expect, test } from 'vitest'
import {
  addLabel,
  createDatedHomework,
  handIn,
  HOUR,
  keptFor,
  markFor,
} from '../support/dated-homework.ts'
import { allRows, firstValue } from '../support/sql.ts'
import {
  addMember,
  addStudents,
  createCourse,
  createPerson,
  type Person,
} from '../support/world.ts'

/** A course, with calls about its labels. */
async function createLabelled() {
  const world = await createCourse()
  const path = `/course/${world.course}`
  const put = (labels: object[], as = world.ta, headers?: Record<string, string>) =>
    as.put(`${path}/labels`, { labels }, headers)
  const give = (members: object[], as = world.ta, headers?: Record<string, string>) =>
    as.patch(`${path}/labels/members`, { members }, headers)
  const read = async (as: Person) => {
    const { labels, memberLabels } = (await as.get(path)).data
    return { labels, memberLabels }
  }
  return { ...world, path, put, give, read }
}

describe('the list of labels', () => {
  test('is replaced as a whole; labels keep their ids and their people', async () => {
    const { put, give, read, ta, student } = await createLabelled()
    const made = await put([
      { id: null, name: 'Lab 1' },
      { id: null, name: 'Lab 2', shown: true },
    ])
    const [{ id: one }, { id: two }] = made.data.labels
    expect(made.data).toEqual({
      labels: [
        { id: one, name: 'Lab 1', shown: false },
        { id: two, name: 'Lab 2', shown: true },
      ],
      kept: 0,
    })
    const { username } = student
    expect((await give([{ username, labels: [two, one, two] }])).data).toEqual({ kept: 0 })
    // Two labels may exchange their names.
    const changed = [
      { id: one, name: 'Lab 2' },
      { id: two, name: 'Lab 1' },
    ]
    expect((await put(changed)).status).toBe(200)
    expect(await read(ta)).toEqual({
      labels: changed.map((label) => ({ ...label, shown: false })),
      memberLabels: { [username]: [one, two] },
    })
    expect((await put([{ id: two, name: 'Lab 1' }])).status).toBe(200)
    expect((await read(ta)).memberLabels).toEqual({ [username]: [two] })
  })

  test('is refused with a name twice, with a label of another course, and by students', async () => {
    const { put, read, ta, student } = await createLabelled()
    const other = await createLabelled()
    const foreign = (await other.put([{ id: null, name: 'Lab' }])).data.labels[0].id
    const twice = [
      { id: null, name: 'Lab' },
      { id: null, name: 'LAB' },
    ]
    expect(await put(twice)).toMatchObject({ status: 409, code: 'label_exists' })
    expect(await put([{ id: foreign, name: 'Lab' }])).toMatchObject({
      status: 404,
      code: 'label_not_found',
      data: { unknown: [foreign] },
    })
    expect((await put([{ id: null, name: 'Lab' }], student)).status).toBe(403)
    expect((await read(ta)).labels).toEqual([])
    expect((await other.read(other.ta)).labels).toHaveLength(1)
  })

  test('raises the course’s version, and is refused when it is based on an older one', async () => {
    const { path, put, give, student, ta } = await createLabelled()
    const tag = async () => ({ 'If-Match': (await ta.get(path)).headers.get('ETag') ?? '' })
    const old = await tag()
    const made = await put([{ id: null, name: 'Lab' }], ta, old)
    expect(made.status).toBe(200)
    expect(await put([], ta, old)).toMatchObject({ status: 409, code: 'stale_edit' })
    const members = [{ username: student.username, labels: [made.data.labels[0].id] }]
    expect((await give(members, ta, old)).code).toBe('stale_edit')
    const present = await tag()
    expect((await give(members, ta, present)).status).toBe(200)
    expect((await put([], ta, present)).code).toBe('stale_edit')
  })
})

describe('the labels of students', () => {
  test('are replaced for the named students only', async () => {
    const world = await createLabelled()
    const { put, give, read, ta, student } = world
    const [other] = await addStudents(world, 1)
    const names = ['A', 'B'].map((name) => ({ id: null, name }))
    const [{ id: a }, { id: b }] = (await put(names)).data.labels
    const first = [
      { username: student.username, labels: [a] },
      { username: other?.username, labels: [a, b] },
    ]
    expect((await give(first)).status).toBe(200)
    const username = student.username.toUpperCase()
    expect((await give([{ username, labels: [b] }])).status).toBe(200)
    expect((await read(ta)).memberLabels).toEqual({
      [student.username]: [b],
      [other?.username ?? '']: [a, b],
    })
    expect((await give([{ username, labels: [] }])).status).toBe(200)
    expect((await read(ta)).memberLabels).toEqual({ [other?.username ?? '']: [a, b] })
  })

  test('are refused whole for people who are no students, and for labels that the course lacks', async () => {
    const { put, give, read, ta, teacher, student } = await createLabelled()
    const stranger = await createPerson(2)
    const { id } = (await put([{ id: null, name: 'Lab' }])).data.labels[0]
    const members = [student, ta, teacher, stranger].map(({ username }) => ({
      username,
      labels: [id],
    }))
    const unknown = [ta, teacher, stranger].map(({ username }) => username)
    expect(await give(members)).toMatchObject({
      status: 404,
      code: 'user_not_found',
      data: { unknown },
    })
    const { username } = student
    expect(await give([{ username, labels: [id, id + 1_000] }])).toMatchObject({
      status: 404,
      code: 'label_not_found',
      data: { unknown: [id + 1_000] },
    })
    expect((await give([{ username, labels: [id] }], student)).status).toBe(403)
    expect((await read(ta)).memberLabels).toEqual({})
  })

  test('students see the shown ones only, everybody’s', async () => {
    const world = await createLabelled()
    const { path, put, give, read, student } = world
    const [other] = await addStudents(world, 1)
    const [secret, shown] = (
      await put([
        { id: null, name: 'Needs more time' },
        { id: null, name: 'Group 1', shown: true },
      ])
    ).data.labels
    await give([
      { username: student.username, labels: [secret.id] },
      { username: other?.username, labels: [secret.id, shown.id] },
    ])
    expect(await read(student)).toEqual({
      labels: [shown],
      memberLabels: { [other?.username ?? '']: [shown.id] },
    })
    expect(JSON.stringify((await student.get(path)).data)).not.toContain('more time')
  })

  test('rest while their owner is a teaching assistant, and go with those who leave', async () => {
    const world = await createLabelled()
    const { course, put, give, read, ta, teacher, student } = world
    const { id } = (await put([{ id: null, name: 'Lab' }])).data.labels[0]
    const { username } = student
    await give([{ username, labels: [id] }])
    await addMember(world, student, 'ta')
    expect((await read(ta)).memberLabels).toEqual({})
    await addMember(world, student, 'student')
    expect((await read(ta)).memberLabels).toEqual({ [username]: [id] })
    await teacher.patch(`/course/${course}/members`, { remove: [username] })
    await addMember(world, student, 'student')
    expect((await read(ta)).memberLabels).toEqual({})
  })

  test('leave an audit entry with the names, which go when the person is erased', async () => {
    const { course, put, give, student, ta } = await createLabelled()
    const admin = await createPerson(0)
    const { id } = (await put([{ id: null, name: 'Lab' }])).data.labels[0]
    await give([{ username: student.username, labels: [id] }])
    const details = async () =>
      (
        await allRows<{ detail: string }>`select detail from audit_entries
          where action = 'course.labels' and subject = ${course} and actor_id = ${ta.id} order by id`
      ).map(({ detail }) => JSON.parse(detail))
    const people = { forAll: false, people: 1, usernames: [student.username] }
    expect(await details()).toEqual([{ labels: 1 }, people])
    const erased = await admin.delete(`/user/${student.username}`, { username: student.username })
    expect(erased.status).toBe(200)
    expect(await details()).toEqual([{ labels: 1 }, {}])
    expect(await firstValue`select count(*) from member_labels where label_id = ${id}`).toBe(0)
  })
})

describe('dates that hang on labels', () => {
  test('a label that is taken away or deleted leaves the higher mark until staff confirm', async () => {
    const world = await createDatedHomework()
    const { course, path, homeworkId, student, ta, problemId, now } = world
    const { username } = student
    const [other] = await addStudents(world, 1)
    if (!other) throw new Error('there is nobody')
    for (const person of [student, other]) await handIn(person, problemId, 80, now)
    const label = await addLabel(world, 'More time', [student])
    const overrides = [{ username: null, label, due: now + HOUR }]
    expect((await ta.put(`${path}/overrides`, { overrides })).data).toEqual({ kept: 0 })
    expect([await markFor(world, student), await markFor(world, other)]).toEqual([80, 72])
    const give = (labels: number[]) =>
      ta.patch(`/course/${course}/labels/members`, { members: [{ username, labels }] })
    expect((await give([])).data).toEqual({ kept: 1 })
    expect([await markFor(world, student), await keptFor(homeworkId, student)]).toEqual([80, 8_000])
    expect((await give([label])).data).toEqual({ kept: 0 })
    expect(await keptFor(homeworkId, student)).toBeNull()
    const deleted = await ta.put(`/course/${course}/labels`, { labels: [] })
    expect(deleted.data).toEqual({ labels: [], kept: 1 })
    expect((await ta.get(`${path}/kept-marks`)).data).toMatchObject([
      { user: { username }, kept: 80, now: 72 },
    ])
    expect(
      await firstValue`select count(*) from homework_overrides where homework_id = ${homeworkId}`,
    ).toBe(0)
    await ta.post(`${path}/kept-marks/confirm`, { usernames: [username] })
    expect(await markFor(world, student)).toBe(72)
  })

  test('a label that gives worse dates than before lowers no mark either', async () => {
    const world = await createDatedHomework()
    const { path, homeworkId, student, ta, problemId, now } = world
    await handIn(student, problemId, 80, now)
    const label = await addLabel(world, 'Strict', [])
    const overrides = [{ username: null, label, latePercent: 50 }]
    expect((await ta.put(`${path}/overrides`, { overrides })).data).toEqual({ kept: 0 })
    await addLabel(world, 'Another', [student])
    expect(await keptFor(homeworkId, student)).toBeNull()
    const members = [{ username: student.username, labels: [label] }]
    const given = await ta.patch(`/course/${world.course}/labels/members`, { members })
    expect(given.data).toEqual({ kept: 1 })
    expect([await markFor(world, student), await keptFor(homeworkId, student)]).toEqual([72, 7_200])
  })
})
