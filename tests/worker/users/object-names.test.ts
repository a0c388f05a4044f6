/** People named like properties of `Object.prototype`, in everything that is listed by their names. */
import { beforeAll, expect, test } from 'vitest'
import { copycatState } from '#contract/copycat'
import { courseDetail } from '#contract/courses'
import { homework } from '#contract/homeworks'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { OBJECT_NAMES, OBJECT_USERNAMES } from '../../support/object-names.ts'
import { judgeAll } from '../support/judge.ts'
import { firstValue } from '../support/sql.ts'
import { finishOperations } from '../support/step-queue.ts'
import {
  createPerson,
  createProblem,
  Person,
  registerRunner,
  signIn,
  submit,
} from '../support/world.ts'

type World = Awaited<ReturnType<typeof createProblem>>

let world: World
let admin: Person
let people: Person[]
let homeworkId: string
const submissionIds: string[] = []
const passwordOf = (index: number) => `seven purple horses ${index}`
const sorted = (names: string[]) => names.toSorted()
const NAMES = sorted(OBJECT_USERNAMES)
const nameOf = ({ username }: { username: string }) => username

/** Each name with the value for its index. */
const byName = <Value>(valueOf: (index: number) => Value) =>
  new Map(OBJECT_USERNAMES.map((name, index) => [name, valueOf(index)]))

beforeAll(async () => {
  admin = await createPerson(0)
  world = await createProblem({ tags: ['__proto__', 'constructor'] })
  const rows = OBJECT_USERNAMES.map(
    (name, index) => `${name},${passwordOf(index)},o${index}@example.test,x`,
  )
  const newUsers = ['username,password,email,constructor', ...rows].join('\n')
  const made = await world.teacher.post('/auth/batch-signup', { newUsers, course: world.course })
  expect(made.data.rows.map(({ action }: { action: string }) => action)).toEqual(
    rows.map(() => 'create'),
  )
  people = await Promise.all(
    OBJECT_USERNAMES.map(async (name, index) => {
      const id = await firstValue`select id from users where username = ${name}`
      return new Person(Number(id), name, '').withSessionOf(await signIn(name, passwordOf(index)))
    }),
  )
  const now = nowSeconds()
  const form = { name: '__proto__', courseName: world.course, start: now - 50, end: now + 500 }
  const json = {
    ...form,
    problemIds: [world.problemId],
    scoreboardStatus: 0,
    scoreboardNames: true,
  }
  homeworkId = (await world.teacher.post('/homework', json)).data.id
  for (const person of people) submissionIds.push(await submit(person, world.problemId))
  await judgeAll(await registerRunner())
}, 120_000)

test('the course has them as members, with their addresses', async () => {
  const read = courseDetail.parse((await world.teacher.get(`/course/${world.course}`)).data)
  expect(sorted(read.students.map(nameOf))).toEqual(sorted([...NAMES, world.student.username]))
  expect(read.emails).toEqual(byName((index) => `o${index}@example.test`))
})

test('a homework has the progress of each', async () => {
  const read = homework.parse((await world.teacher.get(`/homework/${homeworkId}`)).data)
  expect(
    new Map([...read.studentStatus].map(([name, own]) => [name, own[world.problemId]?.bestId])),
  ).toEqual(byName((index) => submissionIds[index]))
  for (const [index, person] of people.entries()) {
    const own = homework.parse((await person.get(`/homework/${homeworkId}`)).data)
    expect([...own.studentStatus.keys()]).toEqual([OBJECT_USERNAMES[index]])
  }
})

test('both scoreboards have a row for each', async () => {
  const { data } = await world.teacher.get(`/course/${world.course}/scoreboard`)
  const scored = data.filter(({ sum }: { sum: number }) => sum === 100)
  expect(sorted(scored.map(({ user }: { user: Person }) => user.username))).toEqual(NAMES)
  const board = (await world.student.get(`/homework/${homeworkId}/scoreboard`)).data
  expect(sorted(board.others.map(({ user }: { user: Person }) => user.username))).toEqual(NAMES)
})

test('submissions are filtered, profiles read and accounts found by each name', async () => {
  for (const [index, name] of OBJECT_USERNAMES.entries()) {
    const path = `/submission?course=${world.course}&username=${name}`
    const list = (await world.teacher.get(path)).data
    expect(
      list.submissions.map(({ submissionId }: { submissionId: string }) => submissionId),
    ).toEqual([submissionIds[index]])
    expect((await world.teacher.get(`/profile/${name}`)).data).toMatchObject({ username: name })
    const found = (await admin.get(`/user?search=${name}`)).data
    expect(found.items.map(nameOf)).toContain(name)
  }
})

test('each asks a question, and staff see whose it is', async () => {
  for (const person of people)
    expect(
      (await person.post(`/problem/${world.problemId}/questions`, { markdown: 'Why?' })).status,
    ).toBe(200)
  const { items } = (await world.teacher.get(`/course/${world.course}/questions`)).data
  expect(sorted(items.map(({ student }: { student: Person }) => student.username))).toEqual(NAMES)
})

test('copy detection compares them, chosen by name', async () => {
  const { course, problemId, teacher } = world
  const started = await teacher.post('/copycat', {
    course,
    problemId,
    usernames: OBJECT_USERNAMES,
  })
  expect(started.status).toBe(202)
  await finishOperations(started.data.jobId)
  const state = copycatState.parse(
    (await teacher.get(`/copycat?course=${course}&problemId=${problemId}`)).data,
  )
  expect(state).toMatchObject({ state: 'done', submissionCount: NAMES.length })
})

test('members are changed by each name', async () => {
  const path = `/course/${world.course}/members`
  expect((await world.teacher.patch(path, { remove: OBJECT_USERNAMES })).status).toBe(200)
  const { students } = (await world.teacher.get(`/course/${world.course}`)).data
  expect(students.map(nameOf)).toEqual([world.student.username])
  const add = OBJECT_USERNAMES.map((user) => ({ user, role: 'student' }))
  expect((await world.teacher.patch(path, { add })).status).toBe(200)
})

test.each(OBJECT_NAMES)(
  'a course is called %s, and problems are found by it as a tag',
  async (name) => {
    const { teacher } = world
    expect(
      (await teacher.post('/course', { course: name, teacher: teacher.username })).status,
    ).toBe(200)
    const read = await teacher.get(`/course/${name}`)
    expect(courseDetail.parse(read.data)).toMatchObject({ course: name })
    const tagged = await teacher.get(`/problem?course=${world.course}&tags=${name.slice(0, 16)}`)
    const isTag = ['__proto__', 'constructor'].includes(name)
    expect(tagged.data.items ?? tagged.data).toHaveLength(isTag ? 1 : 0)
  },
)
