/** Who or what changes a mark decides whether its student is told: staff and rules yes, own new work no. */
import { expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { refreshLeft } from '../../../worker/features/gradebook/refresh-step.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { columnOf } from '../support/gradebook.ts'
import { claim, createClaimedJob, report, reportOf } from '../support/judge.ts'
import { createTerm, HOUR, homeworkOf } from '../support/late-days.ts'
import { courseIdOf } from '../support/notices.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import { addJudged, marksOf, refreshAll, rejudge } from '../support/stored-marks.ts'
import { addStudents, type Person } from '../support/world.ts'

/** Brings the marks of a course up to date. @returns the columns whose marks a student is told to have changed, once */
async function toldOf(courseId: number, { id }: Person): Promise<string[]> {
  await refreshAll(courseId)
  const rows = await allRows<{ name: string }>`select coalesce(h.name, g.kind) as name
    from notices n join gradebook_columns g on g.id = n.subject_id left join homeworks h on h.id = g.homework_id
    where n.user_id = ${id} and n.kind = 'mark_changed' order by name`
  await runSql`delete from notices where kind = 'mark_changed' and user_id = ${id}`
  return rows.map(({ name }) => name)
}

/** Two homeworks and the total, all shown; the student's marks were computed before there were any. */
async function createSeen() {
  const term = await createTerm([{}, {}])
  const courseId = await courseIdOf(term.course)
  await runSql`update gradebook_columns set shown = 'yes' where course_id = ${courseId}`
  const { student } = term
  const { problemId, due, id: homeworkId } = homeworkOf(term, 0)
  await refreshAll(courseId)
  return {
    ...term,
    courseId,
    homeworkId,
    problemId,
    due,
    told: () => toldOf(courseId, student),
    /** A submission that was judged so many hours before the homework was due. */
    tries: (hours: number, score: number, changes: { problem?: number; status?: number } = {}) =>
      addJudged(student.id, changes.problem ?? problemId, {
        at: due - hours * HOUR,
        score,
        status: changes.status ?? 1,
      }),
    marks: async () => (await marksOf(courseId))[student.username],
  }
}

test('an older submission that counts now, although a later one than before, is told', async () => {
  const { tries, told, homeworkId } = await createSeen()
  await tries(3, 100)
  expect(await told()).toEqual([])
  await tries(2, 60)
  expect(await told()).toEqual([])
  await runSql`update homeworks set counts = 'last' where id = ${homeworkId}`
  expect(await told()).toEqual(['H0'])
  await tries(1, 80)
  expect(await told()).toEqual([])
})

test('a rejudge by which an older submission counts is told', async () => {
  const { tries, told } = await createSeen()
  const first = await tries(3, 100)
  await tries(2, 90)
  expect(await told()).toEqual([])
  await rejudge(first, 50)
  expect(await told()).toEqual(['H0'])
})

test('new work is untold in whatever order it is judged, and in another problem', async () => {
  const { tries, told, marks, homeworkId, homeworks } = await createSeen()
  const second = homeworks[1]?.problemId ?? 0
  await runSql`insert into homework_problems (homework_id, problem_id, position, points) values (${homeworkId}, ${second}, 1, 100)`
  expect(await told()).toEqual([])
  await tries(4, 10)
  expect(await told()).toEqual([])
  const slow = await tries(3, 0, { status: -1 })
  await tries(2, 20)
  expect(await told()).toEqual([])
  await rejudge(slow, 80)
  expect(await told()).toEqual([])
  await tries(1, 30, { problem: second })
  expect(await told()).toEqual([])
  expect(await marks()).toMatchObject({ H0: 11_000 })
})

test('a problem that staff add counts what was solved before, which is told', async () => {
  const { tries, told, homeworkId, homeworks } = await createSeen()
  const second = homeworks[1]?.problemId ?? 0
  await tries(4, 10)
  await tries(3, 70, { problem: second })
  expect(await told()).toEqual([])
  await runSql`insert into homework_problems (homework_id, problem_id, position, points) values (${homeworkId}, ${second}, 1, 100)`
  expect(await told()).toEqual(['H0'])
})

test('the first computation of marks tells nobody, also of those who come later or come back', async () => {
  const { course, courseId, teacher, ta, homeworkId, problemId, told, ...world } =
    await createSeen()
  const { student } = world
  await runSql`delete from marks`
  await runSql`insert into stale_marks (column_id, user_id) select id, ${student.id} from gradebook_columns where course_id = ${courseId}`
  const give = (points: number) =>
    runSql`insert into staff_points (homework_id, user_id, problem_id, hundredths, comment, giver_id, given_at)
      values (${homeworkId}, ${student.id}, ${points === 1 ? null : problemId}, ${points}, '', ${ta.id}, 0)`
  await give(1)
  expect(await told()).toEqual([])
  await give(500)
  expect(await told()).toEqual(['H0'])
  await runSql`insert into homework_overrides (homework_id, excused, reason, setter_id, set_at) values (${homeworkId}, 1, '', ${ta.id}, 0)`
  expect(await told()).toEqual(['H0'])
  const [newcomer] = await addStudents({ course, teacher }, 1)
  if (!newcomer) throw new Error('nobody')
  expect(await toldOf(courseId, newcomer)).toEqual([])
  expect((await marksOf(courseId))[newcomer.username]).toMatchObject({ H0: 'excused' })
  await runSql`delete from memberships where user_id = ${student.id}`
  await runSql`insert into memberships (course_id, user_id, role, joined_at) values (${courseId}, ${student.id}, 'student', 0)`
  expect(await told()).toEqual([])
})

test('a mark stays while its submission is judged again, and the verdict decides whether it is told', async () => {
  const world = await createClaimedJob()
  const { token, id, job, course, teacher, ta, student, problemId } = world
  const now = nowSeconds()
  const form = {
    courseName: course,
    name: 'H',
    start: now - HOUR,
    end: now + HOUR,
    problemIds: [problemId],
  }
  const made = await teacher.post('/homework', {
    ...form,
    scoreboardStatus: 0,
    scoreboardNames: true,
  })
  const courseId = await courseIdOf(course)
  await report(token, job.judgementId, reportOf(job.lease))
  expect(await toldOf(courseId, student)).toEqual([])
  const mark = async () => (await marksOf(courseId))[student.username]?.['H']
  const book = `/course/${course}/gradebook`
  const judgeAgain = async () => {
    expect((await ta.post(`/submission/${id}/rejudge`)).status).toBe(200)
    expect(await toldOf(courseId, student)).toEqual([])
    expect(await mark()).toBe(10_000)
  }
  await judgeAgain()
  // Nothing is to be done until the verdict comes.
  expect((await ta.get(book)).data.pending).toBe(0)
  const db = openDb(workerEnv.DB)
  await refreshLeft(workerEnv, db, nowSeconds())
  expect(
    await firstValue`select count(*) from operations where kind = 'marks' and payload ->> 'courseId' = ${courseId}`,
  ).toBe(0)
  const again = (await claim(token)).data
  await report(token, again.judgementId, reportOf(again.lease))
  expect(await toldOf(courseId, student)).toEqual([])
  expect(await firstValue`select count(*) from stale_marks where user_id = ${student.id}`).toBe(0)
  await judgeAgain()
  await ta.post(`/submission/${id}/cancel`)
  expect(await toldOf(courseId, student)).toEqual([])
  expect(await firstValue`select count(*) from stale_marks where user_id = ${student.id}`).toBe(0)
  await judgeAgain()
  const worse = (await claim(token)).data
  await report(token, worse.judgementId, reportOf(worse.lease, 1))
  expect(await toldOf(courseId, student)).toEqual(['H'])
  expect(await mark()).toBe(0)
  // What staff set needs no verdict.
  await ta.post(`/submission/${id}/rejudge`)
  const columnId = await columnOf(made.data.id)
  await ta.patch(book, { edits: [{ username: student.username, columnId, points: 70 }] })
  expect(await toldOf(courseId, student)).toEqual(['H'])
  expect(await mark()).toBe(7_000)
})

test('a total is told if its rule has changed, whatever own work came meanwhile', async () => {
  const { tries, told, courseId, marks, homeworkId, ta, student } = await createSeen()
  await tries(4, 80)
  expect(await told()).toEqual([])
  await runSql`update gradebook_columns set max = 10000 where course_id = ${courseId} and kind = 'total'`
  await tries(3, 90)
  expect(await told()).toEqual(['total'])
  expect(await marks()).toMatchObject({ total: 4_500 })
  // A refresh that broke off has stored the mark alone.
  await runSql`update marks set hundredths = 6000 where user_id = ${student.id} and column_id = ${await columnOf(homeworkId)}`
  expect(await told()).toEqual([])
  expect(await marks()).toMatchObject({ total: 3_000 })
  await runSql`insert into staff_points (homework_id, user_id, hundredths, comment, giver_id, given_at)
    values (${homeworkId}, ${student.id}, 500, '', ${ta.id}, 0)`
  await runSql`update homework_problems set points = 50 where homework_id = ${homeworkId}`
  expect(await told()).toEqual(['H0'])
})
