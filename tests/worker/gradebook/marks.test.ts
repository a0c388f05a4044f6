/** Stored marks follow every change that decides about them; no change in between is lost. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import {
  addJudged,
  marksFromNothing,
  marksOf,
  refreshAll,
  rejudge,
  storedMarks,
} from '../support/stored-marks.ts'
import { columnOf } from '../support/gradebook.ts'
import { courseIdOf } from '../support/notices.ts'
import { openDb } from '../../../worker/db/client.ts'
import { refreshLeft } from '../../../worker/features/gradebook/refresh-step.ts'
import { refreshMarks } from '../../../worker/features/gradebook/refresh.ts'
import { finishOperation, leaseOperation } from '../../../worker/features/operations/queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { addLabel } from '../support/dated-homework.ts'
import { createClaimedJob, report, reportOf } from '../support/judge.ts'
import { createTerm, DAY, homeworkOf, HOUR, setBudget } from '../support/late-days.ts'
import { rivalled } from '../support/rivalled.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import { deliver, finishOperations, workerEnv } from '../support/step-queue.ts'
import { addMember, addStudents, createPerson } from '../support/world.ts'

/** A term of two homeworks, whose student has 80 points in time in the first one. */
async function createMarked() {
  const term = await createTerm([{}, {}])
  const courseId = await courseIdOf(term.course)
  const { problemId, due, id } = homeworkOf(term, 0)
  const submissionId = await addJudged(term.student.id, problemId, { at: due - HOUR, score: 80 })
  const own = async () => (await marksOf(courseId))[term.student.username]
  return { ...term, term, courseId, homeworkId: id, problemId, due, submissionId, own }
}

test('a verdict, a rejudge and a later try', async () => {
  const { own, submissionId, student, problemId, due, courseId } = await createMarked()
  expect(await own()).toEqual({ H0: 8_000, total: 8_000 })
  await rejudge(submissionId, 55)
  expect(await own()).toEqual({ H0: 5_500, total: 5_500 })
  const late = await addJudged(student.id, problemId, { at: due + HOUR, score: 90 })
  expect(await own()).toEqual({ H0: 8_100, total: 8_100 })
  const [mark] = await storedMarks(courseId)
  expect(JSON.parse(mark?.derivation ?? '')).toEqual({
    problems: [
      {
        problemId,
        points: 10_000,
        submissionId: late,
        nth: 2,
        at: due + HOUR,
        score: 90,
        lateSeconds: HOUR,
        left: 90,
        how: 'multiply',
        computed: 8_100,
        isKept: false,
        isGiven: false,
        hundredths: 8_100,
      },
    ],
    added: null,
    lateDays: 0,
    excusedBy: null,
    isSet: false,
    settled: { [problemId]: late },
  })
})

test('dates for one student, for a label and for all; an excuse needs no submission', async () => {
  const { own, ta, term, student, homeworkId, problemId, due, courseId } = await createMarked()
  await addJudged(student.id, problemId, { at: due + HOUR, score: 100 })
  expect(await own()).toMatchObject({ H0: 9_000 })
  const path = `/homework/${homeworkId}/overrides`
  const later = { due: due + DAY }
  await ta.put(path, { overrides: [{ username: student.username, ...later }] })
  expect(await own()).toMatchObject({ H0: 10_000 })
  await ta.put(path, { overrides: [{ username: student.username, due: null, latePercent: 50 }] })
  await ta.post(`/homework/${homeworkId}/kept-marks/confirm`, { usernames: [student.username] })
  expect(await own()).toMatchObject({ H0: 8_000 })
  await ta.delete(path, { usernames: [student.username] })
  const label = await addLabel(term, 'Evening', [student])
  await ta.put(path, { overrides: [{ username: null, label, ...later }] })
  expect(await own()).toMatchObject({ H0: 10_000 })
  await ta.put(path, { overrides: [{ username: null, excused: true }] })
  const [other] = await addStudents(term, 1)
  const marks = await marksOf(courseId)
  expect(marks[student.username]).toMatchObject({ H0: 'excused', total: 0 })
  expect(marks[other?.username ?? '']).toMatchObject({ H0: 'excused', total: 0 })
})

test('a mark that a change of dates would lower is kept until staff confirm the lower one', async () => {
  const { own, ta, student, homeworkId, due, courseId } = await createMarked()
  expect(await own()).toMatchObject({ H0: 8_000 })
  const path = `/homework/${homeworkId}/overrides`
  await ta.put(path, { overrides: [{ username: student.username, due: due - DAY }] })
  expect(await own()).toMatchObject({ H0: 8_000 })
  const [kept] = await storedMarks(courseId)
  expect(JSON.parse(kept?.derivation ?? '').problems).toMatchObject([
    { submissionId: null, isKept: true, computed: 8_000 },
  ])
  await ta.post(`/homework/${homeworkId}/kept-marks/confirm`, { usernames: [student.username] })
  expect(await own()).toMatchObject({ H0: 7_200 })
})

test('the form of the homework: its rule, points and problems; a hidden problem', async () => {
  const { own, ta, homeworkId, problemId, due, homeworks } = await createMarked()
  expect(await own()).toEqual({ H0: 8_000, total: 8_000 })
  const form = { name: 'H0', start: due - 20 * DAY, end: due, close: due + 5 * DAY }
  const put = (changes: object) =>
    ta.put(`/homework/${homeworkId}`, { ...form, problemIds: [problemId], ...changes })
  await put({ points: [50] })
  expect(await own()).toEqual({ H0: 4_000, total: 4_000 })
  await put({
    points: [50],
    end: due - 2 * HOUR,
    lateRule: { kind: 'steps', steps: [{ afterHours: 0, percent: 50 }] },
  })
  expect(await own()).toEqual({ H0: 2_000, total: 2_000 })
  await put({ points: [100] })
  await runSql`update problems set status = 1 where id = ${problemId}`
  expect(await own()).toEqual({ total: 0 })
  await runSql`update problems set status = 0 where id = ${problemId}`
  expect(await own()).toEqual({ H0: 8_000, total: 8_000 })
  await put({ problemIds: [homeworks[1]?.problemId] })
  expect(await own()).toEqual({ total: 0 })
})

test('points that staff give and take back', async () => {
  const { own, ta, student, homeworkId, problemId } = await createMarked()
  const give = (points: number | null, problem: number | null) =>
    ta.put(`/homework/${homeworkId}/points`, {
      username: student.username,
      problemId: problem,
      points,
      comment: 'c',
    })
  await give(12.5, problemId)
  expect(await own()).toMatchObject({ H0: 1_250 })
  await give(3, null)
  expect(await own()).toMatchObject({ H0: 1_550 })
  await give(null, problemId)
  expect(await own()).toMatchObject({ H0: 8_300 })
})

test('a late day used in one homework is missing in another', async () => {
  const { own, term, ta, student, courseId } = await createMarked()
  const second = homeworkOf(term, 1)
  await addJudged(student.id, second.problemId, { at: second.due + HOUR, score: 100 })
  expect(await own()).toMatchObject({ H0: 8_000, H1: 9_000 })
  await setBudget(term, { size: 1, mostEach: 1 })
  expect(await own()).toMatchObject({ H0: 8_000, H1: 10_000 })
  const first = homeworkOf(term, 0)
  await addJudged(student.id, first.problemId, { at: first.due + HOUR, score: 110 })
  expect(await own()).toMatchObject({ H0: 11_000, H1: 9_000 })
  const days = await allRows<{ days: number }>`select derivation ->> 'lateDays' as days from marks
    where derivation is not null order by column_id`
  expect(days.slice(-2)).toEqual([{ days: 1 }, { days: 0 }])
  await ta.delete(`/homework/${first.id}`)
  expect((await marksOf(courseId))[student.username]).toMatchObject({ H1: 10_000 })
})

test('members come, go and change their roles', async () => {
  const { own, term, teacher, student, course, courseId } = await createMarked()
  expect(await own()).toEqual({ H0: 8_000, total: 8_000 })
  await teacher.patch(`/course/${course}/members`, { remove: [student.username] })
  expect(await own()).toBeUndefined()
  await addMember(term, student)
  expect(await own()).toEqual({ H0: 8_000, total: 8_000 })
  await runSql`update memberships set role = 'ta' where course_id = ${courseId} and user_id = ${student.id}`
  expect(await own()).toBeUndefined()
  await runSql`update memberships set role = 'student' where course_id = ${courseId} and user_id = ${student.id}`
  expect(await own()).toEqual({ H0: 8_000, total: 8_000 })
  await addMember(term, await createPerson(2))
  expect(Object.values(await marksOf(courseId))).toContainEqual({ total: 0 })
})

test('what staff set stands before what is computed, and the total follows its groups', async () => {
  const { own, courseId, student, teacher, homeworkId } = await createMarked()
  const columnId = await columnOf(homeworkId)
  const set = (column: number | null, hundredths: number | null, isExcused = 0) =>
    runSql`insert into mark_settings (column_id, user_id, hundredths, is_excused, reason, setter_id, set_at)
      values (${column}, ${student.id}, ${hundredths}, ${isExcused}, '', ${teacher.id}, 0)`
  await set(columnId, 9_999)
  expect(await own()).toEqual({ H0: 9_999, total: 9_999 })
  await set(columnId, null, 1)
  expect(await own()).toEqual({ H0: 'excused', total: 0 })
  await set(columnId, null)
  expect(await own()).toEqual({ H0: 8_000, total: 8_000 })
  await runSql`insert into gradebook_columns (course_id, kind, name, max, shown) values (${courseId}, 'manual', 'Oral', 3000, 'no')`
  const oral = await firstValue<number>`select id from gradebook_columns where name = 'Oral'`
  await set(oral, 1_500)
  expect(await own()).toEqual({ H0: 8_000, Oral: 1_500, total: 9_500 })
  await runSql`insert into gradebook_groups (course_id, name, position, weight) values (${courseId}, 'Talks', 0, 10000)`
  await runSql`update gradebook_columns set group_id = (select max(id) from gradebook_groups) where id = ${oral}`
  expect(await own()).toEqual({ H0: 8_000, Oral: 1_500, total: 5_000 })
  await set(oral, null)
  expect(await own()).toEqual({ H0: 8_000, total: 0 })
})

test('a mark that stays the same keeps its time, and nothing is written', async () => {
  const { own, courseId, student, problemId, due } = await createMarked()
  await own()
  await runSql`update marks set changed_at = 7`
  await addJudged(student.id, problemId, { at: due - 2 * HOUR, score: 10 })
  await refreshAll(courseId)
  expect(
    await firstRow`select max(changed_at) as changed from marks where user_id = ${student.id}`,
  ).toEqual({ changed: 7 })
  expect(await firstValue`select count(*) from stale_marks`).toBe(0)
})

test('a change between reading and writing is not lost', async () => {
  const { courseId, student, problemId, due, own } = await createMarked()
  await refreshAll(courseId)
  const better = () => addJudged(student.id, problemId, { at: due - HOUR, score: 95 })
  await addJudged(student.id, problemId, { at: due - HOUR, score: 85 })
  const db = rivalled(1, better)
  await refreshMarks(db, courseId, [student.id], nowSeconds())
  // The mark of before the change was not taken for the newest.
  expect((await storedMarks(courseId))[0]?.hundredths).toBe(8_000)
  expect(await own()).toEqual({ H0: 9_500, total: 9_500 })
})

test('two refreshes at once leave the marks that are right', async () => {
  const { courseId, student } = await createMarked()
  const db = openDb(env.DB)
  const refresh = () => refreshMarks(db, courseId, [student.id], nowSeconds())
  await Promise.all([refresh(), refresh(), refresh()])
  await refreshAll(courseId)
  const stored = await storedMarks(courseId)
  expect(stored.map(({ hundredths }) => hundredths)).toEqual([8_000, 8_000])
  expect(await marksFromNothing(courseId)).toEqual(stored)
})

test('after a verdict the mark is stored without any other call', async () => {
  const { token, id, job, course, teacher, student, problemId } = await createClaimedJob()
  const now = nowSeconds()
  const form = {
    courseName: course,
    name: 'H',
    start: now - HOUR,
    end: now + HOUR,
    problemIds: [problemId],
  }
  await teacher.post('/homework', { ...form, scoreboardStatus: 0, scoreboardNames: true })
  await report(token, job.judgementId, reportOf(job.lease))
  const courseId = await courseIdOf(course)
  await expect
    .poll(() => storedMarks(courseId))
    .toMatchObject([
      { username: student.username, column: 'H', hundredths: 10_000 },
      { username: student.username, column: 'total', hundredths: 10_000 },
    ])
  expect(id).toBe(
    JSON.parse((await storedMarks(courseId))[0]?.derivation ?? '{}').problems[0].submissionId,
  )
})

test('all marks are computed anew by one operation, with an entry in the audit log', async () => {
  const { ta, term, course, courseId, own } = await createMarked()
  await addStudents(term, 25)
  await own()
  await runSql`update marks set hundredths = 1 where column_id in (select id from gradebook_columns where course_id = ${courseId})`
  const answer = await ta.post(`/course/${course}/gradebook/rebuild`)
  expect(answer).toMatchObject({ status: 202, data: { count: 26 } })
  const again = await ta.post(`/course/${course}/gradebook/rebuild`)
  expect(again.data.jobId).toBe(answer.data.jobId)
  await finishOperations(answer.data.jobId)
  expect((await ta.get(`/jobs/${answer.data.jobId}`)).data).toMatchObject({ state: 'done' })
  expect(await own()).toEqual({ H0: 8_000, total: 8_000 })
  expect(
    await firstValue`select count(*) from audit_entries where action = 'gradebook.rebuild' and subject = ${course}`,
  ).toBe(2)
})

test('a step that has found nothing stale cannot end what computes all marks anew', async () => {
  const { ta, course, courseId, own } = await createMarked()
  await own()
  const db = openDb(env.DB)
  const { jobId } = (await ta.post(`/course/${course}/gradebook/rebuild`)).data
  await refreshAll(courseId)
  const operation = await leaseOperation(db, jobId, nowSeconds())
  if (!operation) throw new Error('not leased')
  const again = await ta.post(`/course/${course}/gradebook/rebuild`)
  expect(again.data.jobId).toBe(jobId)
  await expect(finishOperation(db, operation, null, nowSeconds())).rejects.toMatchObject({
    code: 'stale_lease',
  })
  await runSql`update marks set hundredths = 1 where column_id in (select id from gradebook_columns where course_id = ${courseId})`
  await deliver({ v: 1, jobId })
  expect((await ta.get(`/jobs/${jobId}`)).data).toMatchObject({ state: 'done' })
  expect(await firstValue`select count(*) from stale_marks`).toBe(0)
  expect((await storedMarks(courseId)).map(({ hundredths }) => hundredths)).toEqual([8_000, 8_000])
})

test('the sweeper has computed what nobody computes, once', async () => {
  const { courseId, student } = await createMarked()
  const db = openDb(env.DB)
  const running = () => allRows<{
    id: string
  }>`select id from operations where kind = 'marks' and finished_at is null
    and payload ->> 'courseId' = ${courseId}`
  await refreshLeft(workerEnv, db, nowSeconds())
  await refreshLeft(workerEnv, db, nowSeconds())
  const [operation, ...others] = await running()
  expect(others).toEqual([])
  await finishOperations(operation?.id ?? '')
  expect(await storedMarks(courseId)).toMatchObject([
    { username: student.username },
    { column: 'total' },
  ])
  await refreshLeft(workerEnv, db, nowSeconds())
  expect(await running()).toEqual([])
})
