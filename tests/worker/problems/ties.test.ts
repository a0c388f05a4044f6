/** Among equal things: which one counts, and which one comes first. */
import { beforeEach, describe, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { toScoreboard } from '../../../worker/features/courses/scoreboard.ts'
import { toBoard } from '../../../worker/features/homeworks/board.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, judgeAll, report, reportOf } from '../support/judge.ts'
import { firstRow } from '../support/sql.ts'
import { createCourse, createProblem, registerRunner, submit } from '../support/world.ts'

beforeEach(emptyQueue)

const personOf = (username: string) => ({ username, displayedName: '', role: 2 as const })

describe('of two accepted programs as fast and as lean as each other', () => {
  test('the first counts, whichever has its verdict first and after a rejudge of either', async () => {
    const { ta, student, problemId } = await createProblem()
    const token = await registerRunner()
    const ids = [await submit(student, problemId), await submit(student, problemId)]
    const jobs = [(await claim(token)).data, (await claim(token)).data]
    const best = () =>
      firstRow`select fastest_id, leanest_id from problem_results where problem_id = ${problemId}`
    const [first, second] = ids
    for (const { judgementId, lease, submissionId } of jobs.toReversed()) {
      await report(token, judgementId, reportOf(lease))
      expect(await best()).toEqual({ fastest_id: submissionId, leanest_id: submissionId })
    }
    for (const id of [second, first]) {
      await ta.post(`/submission/${id}/rejudge`)
      const other = id === first ? second : first
      expect(await best()).toEqual({ fastest_id: other, leanest_id: other })
      await judgeAll(token)
      expect(await best()).toEqual({ fastest_id: first, leanest_id: first })
    }
    const { data } = await student.get(`/problem/${problemId}/stats`)
    expect(data.top10RunTime.map((row: { submissionId: string }) => row.submissionId)).toEqual([
      first,
    ])
  })

  test('the first stays when a third one is judged again', async () => {
    const { ta, student, problemId } = await createProblem()
    const token = await registerRunner()
    const [first, , third] = [
      await submit(student, problemId),
      await submit(student, problemId),
      await submit(student, problemId),
    ]
    await judgeAll(token)
    await ta.post(`/submission/${third}/rejudge`)
    await judgeAll(token, STATUS.WA)
    const kept = await firstRow`select fastest_id, leanest_id from problem_results
      where problem_id = ${problemId}`
    expect(kept).toEqual({ fastest_id: first, leanest_id: first })
  })
})

test('students with equal sums come by name in the scoreboard of a course', () => {
  const students = ['carol', 'alice', 'bob'].map((name, id) => ({ id, ...personOf(name) }))
  const scored = { problemId: 1, count: 1, min: 50, sum: 50, max: 50 }
  const entries = [
    { userId: 0, ...scored },
    { userId: 1, ...scored },
  ]
  for (const given of [students, students.toReversed()])
    expect(toScoreboard(given, [1], entries).map(({ user }) => user.username)).toEqual([
      'alice',
      'carol',
      'bob',
    ])
})

test('in a homework’s scoreboard the first problem decides between equal sums, and nothing handed in comes last', () => {
  const rows: [name: string, first: number | null, second: number | null][] = [
    ['none', null, null],
    ['tried', null, 0],
    ['zero', 0, null],
    ['late', 20, 60],
    ['both', 40, 40],
    ['early', 60, 20],
    ['alike', 40, 40],
  ]
  const students = rows.map(([name, first, second]) => ({
    ...personOf(name),
    scores: new Map(
      [[1, first] as const, [2, second] as const].filter(([, score]) => score !== null),
    ),
  }))
  for (const given of [students, students.toReversed()]) {
    const { others } = toBoard({ problemIds: [1, 2], hasNames: true }, given, 'reader')
    expect(others.map(({ user }) => user?.username)).toEqual([
      'early',
      'alike',
      'both',
      'late',
      'zero',
      'tried',
      'none',
    ])
  }
})

test('of homeworks that begin together the one made last comes first', async () => {
  const { course, teacher, student } = await createCourse()
  const start = nowSeconds()
  const made: string[] = []
  for (const [name, at] of [
    ['One', start],
    ['Two', start],
    ['Three', start - 1],
    ['Four', start],
  ] as const) {
    const form = { courseName: course, name, start: at, end: start + 10 }
    made.push((await teacher.post('/homework', form)).data.id)
  }
  for (const person of [teacher, student]) {
    const { data } = await person.get(`/course/${course}/homework`)
    const names = data.map(({ name }: { name: string }) => name)
    // Ids of the same millisecond may be in any order.
    const together = ['One', 'Two', 'Four'].toSorted((left, right) => {
      const idOf = (name: string) => made[['One', 'Two', 'Three', 'Four'].indexOf(name)] ?? ''
      return idOf(left) < idOf(right) ? 1 : -1
    })
    expect(names).toEqual([...together, 'Three'])
  }
})
