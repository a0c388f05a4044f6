/** Hints go with copies of their problem, and leave with the people who answered them. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { listHints } from '../../../worker/features/mistakes/hint-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { emptyQueue } from '../support/judge.ts'
import { fail, hintsOf, merge, mistakeOf, writeHint } from '../support/mistakes.ts'
import { allRows, firstValue } from '../support/sql.ts'
import {
  addMember,
  createCourse,
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  uniqueName,
  uploadZip,
} from '../support/world.ts'

const [A, B, C] = ['A', 'B', 'C'].map((letter) => mistakeOf(letter)) as [string, string, string]

beforeEach(emptyQueue)

/** A problem with a hint that was set aside, one that is shown and answered, and B merged into A. */
async function createHinted() {
  const world = await createProblem()
  const { ta, teacher, student, problemId } = world
  const token = await registerRunner()
  await writeHint(ta, problemId, { markdown: 'Aside', mistake: A })
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0100.in': '3 1\n' })
  const hintId = await writeHint(ta, problemId, { markdown: 'Shown', mistake: A })
  await writeHint(ta, problemId, { markdown: 'Case', failed: { task: 1, case: 1 } })
  await merge(problemId, B, A)
  const id = await fail(token, student, problemId, { mistake: A })
  await student.put(`/submission/${id}/hints/${hintId}`, { helped: true })
  return { ...world, token, id, hintId }
}

const ids = (problemId: number) => listHints(openDb(env.DB), problemId)

/** Looks at the copy of a problem in a course, by the person who copied it. */
async function expectCopied(course: string, copier: string) {
  const copyId =
    await firstValue<number>`select p.id from problems p join courses c on c.id = p.course_id
    where c.name = ${course}`
  const copied = await ids(copyId ?? 0)
  const author = expect.objectContaining({ username: copier })
  const answers = { author, helped: 0, notHelped: 0 }
  expect(copied).toMatchObject([
    { ...answers, markdown: 'Aside', mistake: A, failed: null, isAside: true },
    { ...answers, markdown: 'Shown', mistake: A, failed: null, isAside: false },
    { ...answers, markdown: 'Case', mistake: null, failed: { task: 1, case: 1 }, isAside: false },
  ])
  expect(
    await allRows`select mistake, "into" from merged_mistakes where problem_id = ${copyId}`,
  ).toEqual([{ mistake: B, into: A }])
  return copyId ?? 0
}

test('a copied problem has the hints; they reach its own people, and new test data set them aside', async () => {
  const { teacher, problemId, token, id, student } = await createHinted()
  const target = await createCourse()
  await addMember(target, teacher, 'ta')
  const answer = await teacher.post(`/problem/${problemId}/copy`, { course: target.course })
  expect(answer.status).toBe(200)
  const copyId = await expectCopied(target.course, teacher.username)
  await target.teacher.put(`/problem/manage/${copyId}`, {
    ...(await target.teacher.get(`/problem/manage/${copyId}`)).data,
    status: 0,
  })
  const ofB = await fail(token, target.student, copyId, { mistake: B })
  expect(await hintsOf(target.student, ofB)).toEqual(['Shown'])
  await uploadZip(target.teacher, copyId, { ...FITTING_ENTRIES, '0100.in': '4 0\n' })
  expect(await hintsOf(target.student, ofB)).toEqual([])
  // Neither touches the other.
  expect(await hintsOf(student, id)).toEqual(['Shown'])
  expect((await ids(problemId)).map(({ helped }) => helped)).toEqual([0, 1, 0])
})

test('copies of a course and of a homework bring the hints along; a homework copied at home copies none', async () => {
  const { course, teacher, problemId } = await createHinted()
  const copy = uniqueName('Copy ')
  await teacher.post(`/course/${course}/copy`, { course: copy, homeworks: [] })
  await expectCopied(copy, teacher.username)
  const target = await createCourse()
  await addMember(target, teacher, 'ta')
  const now = nowSeconds()
  const dates = { start: now, end: now + 100, close: null }
  const homework = {
    name: 'Week',
    courseName: course,
    start: now,
    end: now + 100,
    problemIds: [problemId],
  }
  const made = await teacher.post('/homework', homework)
  const path = `/homework/${made.data.id}/copy`
  expect((await teacher.post(path, { courseName: target.course, ...dates })).status).toBe(200)
  await expectCopied(target.course, teacher.username)
  expect((await teacher.post(path, { courseName: course, name: 'Again', ...dates })).status).toBe(
    200,
  )
  expect(await ids(problemId)).toHaveLength(3)
})

test('erasing a person deletes their answers and keeps their hints without the name', async () => {
  const { course, ta, teacher, student, problemId, hintId } = await createHinted()
  const other = await createPerson(2)
  await addMember({ course, teacher }, other)
  const own = (await student.get('/auth/me/export')).data
  expect(own.hintAnswers).toEqual([{ hintId, problemId, helped: true }])
  expect(own.hints).toEqual([])
  const written = (await ta.get('/auth/me/export')).data
  expect(written.hintAnswers).toEqual([])
  expect(written.hints).toMatchObject([
    { markdown: 'Aside', problemId },
    { hintId, markdown: 'Shown', problemId, updateTime: expect.any(Number) },
    { markdown: 'Case', problemId },
  ])
  expect((await other.get('/auth/me/export')).data).toMatchObject({ hints: [], hintAnswers: [] })
  const admin = await createPerson(0)
  for (const { username } of [student, ta])
    expect((await admin.delete(`/user/${username}`)).status).toBe(200)
  expect(await ids(problemId)).toMatchObject([
    { markdown: 'Aside' },
    {
      markdown: 'Shown',
      author: { username: `*${ta.id}`, displayedName: '' },
      helped: 0,
      notHelped: 0,
    },
    { markdown: 'Case' },
  ])
  expect(await allRows`select * from hint_answers where user_id = ${student.id}`).toEqual([])
})

test('a mistake of one problem is nothing to another one', async () => {
  const { ta, student, problemId, token } = await createHinted()
  const other = await createProblem()
  await addMember(other, student)
  const id = await fail(token, student, other.problemId, { mistake: A })
  expect(await hintsOf(student, id)).toEqual([])
  await merge(other.problemId, A, C)
  await writeHint(ta, problemId, { markdown: 'For C', mistake: C })
  expect(await hintsOf(student, id)).toEqual([])
})
