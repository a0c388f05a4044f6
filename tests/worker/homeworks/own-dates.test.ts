/** Dates of one's own: they hold wherever a date decides or is shown, and nobody else's answers tell of them. */
import { expect, test } from 'vitest'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { addLabel } from '../support/dated-homework.ts'
import { insertOverride, plainOwn } from '../support/dates.ts'
import { runSql } from '../support/sql.ts'
import {
  addMember,
  addStudents,
  call,
  createProblem,
  fetchApi,
  FITTING_ENTRIES,
  problemForm,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

/** A course with two problems; the first is in a homework that runs from `start` to `end`, in seconds from now. */
async function createDated(start: number, end: number) {
  const world = await createProblem({ quota: 1 })
  const { course, teacher, problemId } = world
  const [classmate] = await addStudents(world, 1)
  if (!classmate) throw new Error('no classmate')
  const other = { course, ...problemForm({ problemName: 'Second' }) }
  const { problemId: second } = (await teacher.post('/problem/manage', other)).data
  const now = nowSeconds()
  const times = { start: now + start, end: now + end }
  const form = { name: 'Dated', markdown: 'Text', ...times, scoreboardStatus: 0 }
  const { id } = (
    await teacher.post('/homework', {
      ...form,
      courseName: course,
      problemIds: [problemId, second],
    })
  ).data
  return { ...world, classmate, second, id, times, now }
}
type Dated = Awaited<ReturnType<typeof createDated>>

/** Every answer with a date, by path, as text. */
async function answersTo(
  as: Person,
  { course, problemId, second, id }: Dated,
  more: string[] = [],
) {
  const paths = [
    '/homework',
    `/course/${course}/homework`,
    `/course/${course}/homework?progress=own`,
    `/homework/${id}`,
    `/homework/${id}/scoreboard`,
    `/problem?course=${course}`,
    `/problem/${problemId}`,
    `/problem/${second}`,
    `/problem/${problemId}/stats`,
    '/overview',
    '/search?text=Dated',
    '/search?text=Second',
    `/submission?course=${course}`,
    ...more,
  ]
  const answers: Record<string, string> = {}
  for (const path of paths) {
    const response = await fetchApi('GET', path, { as })
    answers[path] = `${response.status} ${await response.text()}`
  }
  return answers
}

/** The paths whose answers differ. */
function changedPaths(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before).filter((path) => before[path] !== after[path])
}

test('an extension is seen by its student wherever a date stands, and by staff in the progress', async () => {
  const world = await createDated(-500, -100)
  const { course, teacher, ta, student, problemId, id, times, now } = world
  expect((await student.get(`/homework/${id}`)).data).toMatchObject({
    status: 'over',
    own: plainOwn(times),
  })
  expect((await student.get('/homework')).data).toEqual([])

  const reason = 'In hospital'
  await insertOverride(id, student, teacher, { due: now + 500, closes: now + 900, reason })
  const own = { ...plainOwn(times), due: now + 500, closes: now + 900, why: reason }
  const shown = { ...times, close: null, own, status: 'running' }
  expect((await student.get(`/homework/${id}`)).data).toMatchObject(shown)
  expect((await student.get(`/course/${course}/homework`)).data).toMatchObject([shown])
  expect((await student.get('/homework')).data).toMatchObject([shown])
  expect((await student.get(`/problem/${problemId}`)).data.homeworks).toEqual([
    { id, name: 'Dated', ...times, own, lateRule: { kind: 'none' }, counts: 'best', points: 100 },
  ])
  const inTime = await submit(student, problemId)
  const progress = (await student.get(`/homework/${id}`)).data.studentStatus
  expect(progress[student.username][problemId]).toMatchObject({
    submissionIds: [inTime],
    late: null,
  })
  const staffView = (await ta.get(`/homework/${id}`)).data
  expect(staffView).toMatchObject({ status: 'over', own: plainOwn(times) })
  expect(staffView.studentStatus[student.username]).toEqual(progress[student.username])
})

test.each(['the student', 'a label that the student has'])(
  'what others are sent is the same to the byte before and after dates for %s',
  async (owner) => {
    const world = await createDated(-500, -100)
    const label = owner === 'the student' ? null : await addLabel(world, 'Lab', [world.student])
    const { teacher, ta, student, classmate, problemId, id, now } = world
    await submit(classmate, problemId)
    const read = async () => {
      const answers = []
      for (const as of [classmate, ta, teacher])
        answers.push(await answersTo(as, world, [`/submission?problemId=${problemId}`]))
      return answers
    }
    const before = await read()
    const ownBefore = await answersTo(student, world)
    const later = { due: now + 500, reason: 'Secret' }
    if (label === null) await insertOverride(id, student, teacher, later)
    else
      await runSql`insert into homework_overrides (homework_id, label_id, due, reason, setter_id, set_at)
      values (${id}, ${label}, ${later.due}, ${later.reason}, ${teacher.id}, 1)`
    const after = await read()
    for (const [index, answers] of after.entries()) {
      expect(changedPaths(before[index] ?? {}, answers)).toEqual([])
      expect(JSON.stringify(answers)).not.toContain('Secret')
    }
    expect(changedPaths(ownBefore, await answersTo(student, world))).toEqual([
      '/homework',
      `/course/${world.course}/homework`,
      `/course/${world.course}/homework?progress=own`,
      `/homework/${id}`,
      `/problem/${problemId}`,
      `/problem/${world.second}`,
    ])
  },
)

test('dates for all are seen by all, and one’s own stand before them; the later due time counts', async () => {
  const world = await createDated(-500, -100)
  const { teacher, ta, student, classmate, id, times, now } = world
  await insertOverride(id, null, teacher, { due: now + 300, reason: 'The network was down' })
  await insertOverride(id, student, teacher, { opens: times.start - 60, due: now + 200 })
  const forAll = { ...plainOwn(times), due: now + 300, closes: now + 300 }
  const ownOf = async (as: Person) => (await as.get(`/homework/${id}`)).data.own
  const why = 'The network was down'
  for (const as of [classmate, ta]) expect(await ownOf(as)).toEqual({ ...forAll, why })
  // A reason of one's own is missing, so that for all stands there.
  expect(await ownOf(student)).toEqual({ ...forAll, opens: times.start - 60, why })
  const { homeworks } = (await student.get(`/problem/${world.problemId}`)).data
  expect(homeworks[0].own).toEqual({ ...forAll, opens: times.start - 60, why })
  expect((await ta.get('/overview')).data.homeworks).toMatchObject([
    { id, due: now + 300, close: now + 300, end: times.end },
  ])
})

test('dates of one’s own rest while one is staff or has left the course, and hold again afterwards', async () => {
  const world = await createDated(-500, 500)
  const { course, teacher, student, problemId, id, times, now } = world
  const override = { opens: now + 300, due: now + 900, quota: 7, reason: 'Resit' }
  await insertOverride(id, student, teacher, override)
  const link = new URL((await student.post('/calendar-link')).data.url)
  const feed = async () => (await fetchApi('GET', `/calendar${link.search}`)).text()
  const resit = await feed()
  await addMember(world, student, 'ta')
  const own = plainOwn(times)
  expect((await student.get('/homework')).data).toMatchObject([{ id, own }])
  expect((await student.get(`/homework/${id}`)).data).toMatchObject({ own, status: 'running' })
  const page = (await student.get(`/problem/${problemId}`)).data
  expect(page).toMatchObject({ ownQuota: 1, homeworks: [{ own }] })
  expect((await student.get(`/homework/${id}/scoreboard`)).data.problemIds).toHaveLength(2)
  expect((await student.get('/overview')).data.homeworks).toMatchObject([{ id, due: times.end }])
  expect(await feed()).not.toBe(resit)
  // Nor do they stop an edit of the homework, or a change for all, which staff could not mend.
  const form = { name: 'Dated', problemIds: [problemId, world.second], scoreboardStatus: 0 }
  const later = { ...form, start: now + 1_000, end: now + 2_000 }
  expect((await teacher.put(`/homework/${id}`, later)).status).toBe(200)
  expect((await teacher.put(`/homework/${id}`, { ...form, ...times })).status).toBe(200)
  await teacher.patch(`/course/${course}/members`, { remove: [student.username] })
  const shorter = { overrides: [{ username: null, due: now + 100 }] }
  expect((await teacher.put(`/homework/${id}/overrides`, shorter)).status).toBe(200)
  await teacher.delete(`/homework/${id}/overrides`, { usernames: [null] })
  await addMember(world, student)
  const { data } = await student.get(`/homework/${id}`)
  expect(data.own).toMatchObject({ opens: now + 300, due: now + 900, why: 'Resit' })
  expect(await feed()).toContain(/DTSTART:.*/.exec(resit)?.[0])
})

test('who opens later sees no text and no problems, and hands nothing in; the others do', async () => {
  const world = await createDated(-500, 500)
  const { course, teacher, student, classmate, problemId, second, id, now } = world
  await insertOverride(id, student, teacher, { opens: now + 300, reason: 'Resit' })
  const { data } = await student.get(`/homework/${id}`)
  expect(data).toMatchObject({ status: 'not-started', markdown: '', problemIds: [], points: [] })
  expect((await student.get('/homework')).data).toEqual([])
  expect((await student.get(`/homework/${id}/scoreboard`)).code).toBe('scoreboard_hidden')
  for (const hidden of [problemId, second]) {
    expect((await student.get(`/problem/${hidden}`)).status).toBe(404)
    const json = { problemId: hidden, languageType: 0, code: 'x' }
    expect((await student.post('/submission', json)).code).toBe('problem_not_found')
    expect((await student.post(`/problem/${hidden}/run`, json)).status).toBe(404)
    expect((await classmate.get(`/problem/${hidden}`)).status).toBe(200)
  }
  expect((await student.get(`/problem?course=${course}`)).data.items).toEqual([])
  expect((await classmate.get(`/problem?course=${course}`)).data.items).toHaveLength(2)
  expect((await student.get('/search?text=Second')).data.problems).toEqual([])
  await submit(classmate, problemId)
  expect((await classmate.get(`/homework/${id}/scoreboard`)).status).toBe(200)
})

test('who opens earlier sees the problems and hands in, while they stay hidden from the others', async () => {
  const world = await createDated(500, 900)
  const { course, teacher, student, classmate, problemId, second, id, now } = world
  await uploadZip(teacher, second, FITTING_ENTRIES)
  await insertOverride(id, student, teacher, { opens: now - 10 })
  const { data } = await student.get(`/homework/${id}`)
  expect(data).toMatchObject({ status: 'running', markdown: 'Text', points: [100, 100] })
  expect((await student.get('/homework')).data).toMatchObject([{ id }])
  expect((await student.get('/search?text=Second')).data.problems).toMatchObject([
    { problemId: second },
  ])
  const page = (await student.get(`/problem/${problemId}`)).data
  expect(page.neighbours.next).toEqual({ problemId: second, problemName: 'Second' })
  const submitted = await submit(student, second)
  expect((await student.get(`/homework/${id}`)).data.studentStatus).toMatchObject({
    [student.username]: { [second]: { submissionIds: [submitted] } },
  })
  expect((await student.get(`/homework/${id}/scoreboard`)).data.problemIds).toHaveLength(2)
  for (const hidden of [problemId, second])
    expect((await classmate.get(`/problem/${hidden}`)).status).toBe(404)
  expect((await classmate.get(`/problem?course=${course}`)).data.items).toEqual([])
  expect((await classmate.get(`/homework/${id}`)).data).toMatchObject({
    status: 'not-started',
    problemIds: [],
  })
})

test('a quota of one’s own counts while the homework runs for oneself; the largest one does', async () => {
  const world = await createDated(-500, 500)
  const { course, teacher, student, classmate, problemId, id, now } = world
  const handIn = async (as: Person) =>
    (await as.post('/submission', { problemId, languageType: 0, code: 'x' })).code ?? null
  const quotaOf = async (as: Person) => {
    const { quota, ownQuota, quotaUsed } = (await as.get(`/problem/${problemId}`)).data
    const [item] = (await as.get(`/problem?course=${course}`)).data.items
    expect(item).toMatchObject({ quota, ownQuota, quotaUsed })
    return [quota, ownQuota, quotaUsed]
  }
  await insertOverride(id, student, teacher, { quota: 2 })
  expect(await quotaOf(student)).toEqual([1, 2, 0])
  expect([await handIn(student), await handIn(student), await handIn(student)]).toEqual([
    null,
    null,
    'quota_exceeded',
  ])
  expect([await handIn(classmate), await handIn(classmate)]).toEqual([null, 'quota_exceeded'])
  expect([await quotaOf(student), await quotaOf(classmate)]).toEqual([
    [1, 2, 2],
    [1, 1, 1],
  ])
  // Another homework with the problem gives more, but only from its opening on.
  const again = { name: 'Again', courseName: course, start: now + 300, end: now + 900 }
  const more = (await teacher.post('/homework', { ...again, problemIds: [problemId] })).data.id
  await insertOverride(more, student, teacher, { quota: -1 })
  expect(await handIn(student)).toBe('quota_exceeded')
  await teacher.put(`/homework/${more}`, { ...again, start: now - 5, problemIds: [problemId] })
  expect(await quotaOf(student)).toEqual([1, -1, 0])
  expect([await handIn(student), await handIn(classmate)]).toEqual([null, 'quota_exceeded'])
})

test('a quota and an opening of one’s own hold for code that comes in a second step, too', async () => {
  const world = await createDated(-500, 500)
  const { teacher, student, problemId, id, now } = world
  await insertOverride(id, student, teacher, { quota: 2 })
  const claims: string[] = []
  for (let count = 0; count < 4; count += 1) {
    const made = await student.post('/submission', { problemId, languageType: 0 })
    claims.push(made.data.submissionId)
  }
  const complete = async (submissionId: string) => {
    const body = new FormData()
    body.set('code', new File(['int main(){}'], 'main.c'))
    const answer = await call('PUT', `/submission/${submissionId}`, { as: student, body })
    return answer.code ?? answer.status
  }
  const answers = []
  for (const submissionId of claims.slice(0, 3)) answers.push(await complete(submissionId))
  expect(answers).toEqual([200, 200, 'quota_exceeded'])
  await runSql`update homework_overrides set quota = null, opens = ${now + 300} where homework_id = ${id}`
  expect(await complete(claims[3] ?? '')).toBe('submission_not_found')
})
