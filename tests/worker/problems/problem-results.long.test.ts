/** The summary of people's results equals a recount of their submissions after any events. */
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { JUDGING } from '#contract/limits'
import { STATUS, type CaseResult, type Verdict } from '#contract/verdicts'
import { ATTEMPTS } from '../../../worker/db/problem-results.ts'
import { openDb } from '../../../worker/db/client.ts'
import {
  applyJudged,
  listJudged,
} from '../../../worker/features/judging/rejudge/outcome-queries.ts'
import { queueTargets } from '../../../worker/features/judging/rejudge/target-queries.ts'
import { failExhausted } from '../../../worker/features/judging/lease/lost-job-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newHexId } from '../../../worker/lib/ids.ts'
import { claim, emptyQueue, judgeAll, report, reportOf } from '../support/judge.ts'
import { historyStatements } from '../support/long-history.ts'
import { firstValue, runSql } from '../support/sql.ts'
import {
  call,
  createPerson,
  createProblem,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** The stored summaries of a problem. */
const KEPT = `select user_id, tries, scored, score_sum, best_score, worst_score, status_counts, fastest_id, leanest_id,
    (select json_group_array(json_array(key, json(value)) order by key) from json_each(attempts)) as attempts,
    quota_uses, failed_id, mistake
  from problem_results where problem_id = ? order by user_id`

/** A value of a person's newest submission that failed with a known mistake. */
const newestFailed = (value: string) =>
  `(select ${value} from submissions f join judgements j on j.id = f.judgement_id
      where f.problem_id = s.problem_id and f.user_id = s.user_id and f.status in (1, 2, 3, 4, 5, 7) and j.mistake is not null
      order by f.id desc limit 1)`

/** The same summaries, counted from the submissions. */
const RECOUNTED = `select user_id, count(*) as tries, count(points) as scored, coalesce(sum(points), 0) as score_sum,
    max(points) as best_score, min(points) as worst_score,
    json_array(${[0, 1, 2, 3, 4, 5, 6, 7].map((status) => `sum(status = ${status})`).join(', ')}) as status_counts,
    (select id from submissions f where f.problem_id = s.problem_id and f.user_id = s.user_id and status = 0
      and run_time_ms is not null order by run_time_ms, id limit 1) as fastest_id,
    (select id from submissions f where f.problem_id = s.problem_id and f.user_id = s.user_id and status = 0
      and memory_kb is not null order by memory_kb, id limit 1) as leanest_id,
    iif(count(*) > ${ATTEMPTS.kept}, '[]',
      json_group_array(json_array(id, json_array(accepted_at, status, score)) order by id)) as attempts,
    sum(quota_used = 1 and accepted_at >= (select quota_since from problem_results r
      where r.problem_id = s.problem_id and r.user_id = s.user_id)) as quota_uses,
    ${newestFailed('f.id')} as failed_id, ${newestFailed('j.mistake')} as mistake
  from (select *, case when status >= 0 and status <> ${STATUS.JE} then score end as points
    from submissions where status <> ${STATUS.CLAIMED}) s
  where problem_id = ? group by user_id order by user_id`

async function expectRecount(problemId: number, after: string): Promise<void> {
  const [kept, recounted] = await env.DB.batch(
    [KEPT, RECOUNTED].map((sql) => env.DB.prepare(sql).bind(problemId)),
  )
  expect(kept?.results, after).toEqual(recounted?.results)
}

/** Events of submissions. */
type Step =
  | { kind: 'submit' | 'twoSteps' | 'claimOnly'; who: number }
  | {
      kind: 'judge'
      status: Verdict
      mistake: string | undefined
      runTime: number
      memoryUsage: number
      times: number
    }
  | { kind: 'rejudge' | 'cancel' | 'rejudgeAll' | 'apply'; index: number }
  | { kind: 'exhaust' | 'cancelAll' }
  | { kind: 'erase'; who: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('submit', 'twoSteps', 'claimOnly'),
      who: fc.nat(2),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('judge'),
      status: fc.constantFrom<Verdict>(0, 0, 0, 1, 2, 3, STATUS.JE),
      // A host may leave it out, or tell one of an accepted program.
      mistake: fc.constantFrom(undefined, 'A'.repeat(16), 'B'.repeat(16)),
      runTime: fc.nat(3),
      memoryUsage: fc.nat(3),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('rejudge', 'cancel', 'rejudgeAll', 'apply'),
      index: fc.nat(30),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('exhaust', 'cancelAll') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase'), who: fc.nat(2) }) },
)

/** A report whose cases took so much. */
function withUse(
  result: ReturnType<typeof reportOf>,
  use: { runTime: number; memoryUsage: number },
): ReturnType<typeof reportOf> {
  const using = <Part extends CaseResult>(part: Part): Part =>
    part.runTime === null ? part : { ...part, ...use }
  const tasks = result.tasks.map((task) => ({ ...using(task), cases: task.cases.map(using) }))
  return { ...result, ...(result.runTime !== null && use), tasks }
}

/** A problem, three of its students, and the events that can happen to them. */
class ProblemModel {
  private readonly ids: string[] = []
  private readonly erased = new Set<number>()
  readonly problemId: number
  private readonly students: Person[]
  private readonly teacher: Person
  private readonly admin: Person
  private readonly token: string
  /** The last bulk rejudge, which `applyBulk` applies. */
  private bulk: { id: string; lease: string } | undefined

  constructor(world: {
    problemId: number
    students: Person[]
    teacher: Person
    admin: Person
    token: string
  }) {
    this.problemId = world.problemId
    this.students = world.students
    this.teacher = world.teacher
    this.admin = world.admin
    this.token = world.token
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'submit':
      case 'twoSteps':
      case 'claimOnly':
        return this.handIn(step.kind, step.who)
      case 'judge':
        return this.judge(step)
      case 'rejudge':
      case 'cancel': {
        const id = this.ids[step.index % Math.max(1, this.ids.length)]
        if (id) await this.teacher.post(`/submission/${id}/${step.kind}`)
        return
      }
      case 'cancelAll':
        await this.teacher.post(`/problem/${this.problemId}/cancel`)
        return
      case 'rejudgeAll':
        return this.rejudgeAll()
      case 'apply':
        return this.applyBulk()
      case 'exhaust':
        return this.exhaust()
      case 'erase':
        this.erased.add(step.who)
        await this.admin.delete(`/user/${this.students[step.who]?.username}`)
    }
  }

  private async handIn(kind: 'submit' | 'twoSteps' | 'claimOnly', who: number): Promise<void> {
    const as = this.students[who]
    if (!as || this.erased.has(who)) return
    if (kind === 'submit') {
      this.ids.push(await submit(as, this.problemId))
      return
    }
    const json = { problemId: this.problemId, languageType: 0 }
    const id = (await as.post('/submission', json)).data.submissionId
    if (kind === 'claimOnly') return
    const body = new FormData()
    body.set('code', new File(['int main(){}'], 'main.c'))
    // The second upload of the code is refused.
    for (const status of [200, 409])
      expect((await call('PUT', `/submission/${id}`, { as, body })).status).toBe(status)
    this.ids.push(id)
  }

  private async judge({
    status,
    mistake,
    runTime,
    memoryUsage,
    times,
  }: Step & { kind: 'judge' }): Promise<void> {
    const { data } = await claim(this.token)
    if (!data) return
    const json = { ...withUse(reportOf(data.lease, status), { runTime, memoryUsage }), mistake }
    for (let time = 0; time < times; time += 1) await report(this.token, data.judgementId, json)
  }

  /** Applies the results of the last bulk rejudge, twice. */
  private async applyBulk(): Promise<void> {
    if (!this.bulk) return
    const db = openDb(env.DB)
    const ids = (await listJudged(db, this.bulk.id)).map(({ id }) => id)
    for (const _time of [1, 2]) await applyJudged(db, ids, this.bulk)
  }

  /** Rejudges everything that has a verdict, in one part of a bulk rejudge. */
  private async rejudgeAll(): Promise<void> {
    const jobId = newHexId(Date.now() + 1)
    const pairs = this.ids.map((submissionId) => ({
      submissionId,
      judgementId: newHexId(Date.now() + 2),
    }))
    await runSql`insert into operations (id, kind, state, total, payload, lease, sent_at, created_at)
      values (${jobId}, 'rejudge', 'running', 0, '{}', 'held', 0, 0)`
    this.bulk = { id: jobId, lease: 'held' }
    await queueTargets(openDb(env.DB), pairs, this.bulk, nowSeconds())
  }

  /** Uses up the attempts of every open judgement. */
  private async exhaust(): Promise<void> {
    await runSql`update judgements set attempt = ${JUDGING.maxAttempts} where finished_at is null`
    await failExhausted(openDb(env.DB), nowSeconds() + JUDGING.leaseSeconds + 1)
  }
}

test('the summary equals a recount after any sequence of hand-in, result, judge error, rejudge, cancelling and erasing', async () => {
  const admin = await createPerson(0)
  const token = await registerRunner()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      await emptyQueue()
      const { course, teacher, student, problemId } = await createProblem({ quota: 10 })
      const others = [await createPerson(2), await createPerson(2)]
      const add = others.map(({ username }) => ({ user: username, role: 'student' }))
      await teacher.patch(`/course/${course}/members`, { add })
      const model = new ProblemModel({
        problemId,
        students: [student, ...others],
        teacher,
        admin,
        token,
      })
      for (const taken of steps) {
        await model.take(taken)
        await expectRecount(problemId, JSON.stringify(taken))
      }
    }),
    { numRuns: 8 },
  )
})

test('the summary keeps the attempts of who has made few, and reads those of who has made more', async () => {
  const { student, problemId } = await createProblem()
  const history = { userId: student.id, problemId, count: ATTEMPTS.kept - 1, spacing: 60 }
  await env.DB.batch(
    historyStatements({ ...history, now: nowSeconds() }).map((sql) => env.DB.prepare(sql)),
  )
  const token = await registerRunner()
  for (let time = 0; time < 3; time += 1) {
    await submit(student, problemId)
    await expectRecount(problemId, `hand-in ${time}`)
    const job = (await claim(token)).data
    await report(token, job.judgementId, reportOf(job.lease))
    await expectRecount(problemId, `result ${time}`)
  }
})

test('another day uses nothing of a quota, nor does a Judge Error, nor a time before the summary counted', async () => {
  const { student, problemId } = await createProblem({ quota: 2 })
  const handIn = async () => {
    const json = { problemId, languageType: 0, code: 'x' }
    const answer = await student.post('/submission', json)
    return answer.code ?? answer.status
  }
  const untilUsedUp = async () => [await handIn(), await handIn(), await handIn()]
  const write = async (sql: string) => env.DB.prepare(sql).bind(problemId).run()
  const used = [200, 200, 'quota_exceeded']
  expect(await untilUsedUp()).toEqual(used)
  // As if it happened yesterday, and the summary was last counted then.
  await write('update submissions set accepted_at = accepted_at - 86400 where problem_id = ?')
  await write('update problem_results set quota_since = quota_since - 86400 where problem_id = ?')
  expect(await untilUsedUp()).toEqual(used)
  // As if the summary had never been counted, or was counted in another time zone.
  await write('update problem_results set quota_since = 0, quota_uses = 0 where problem_id = ?')
  expect(await handIn()).toBe('quota_exceeded')
  await judgeAll(await registerRunner(), STATUS.JE)
  expect(await untilUsedUp()).toEqual(used)
})

test.each(['a Judge Error', 'a job given up'])(
  '%s of another day gives back nothing of today’s quota',
  async (ending) => {
    const { student, problemId } = await createProblem({ quota: 2 })
    const token = await registerRunner()
    await submit(student, problemId)
    const job = (await claim(token)).data
    await runSql`update submissions set accepted_at = accepted_at - 86400 where problem_id = ${problemId}`
    await runSql`update problem_results set quota_since = quota_since - 86400 where problem_id = ${problemId}`
    await submit(student, problemId)
    if (ending === 'a Judge Error')
      await report(token, job.judgementId, reportOf(job.lease, STATUS.JE))
    else {
      await runSql`update judgements set attempt = ${JUDGING.maxAttempts} where id = ${job.judgementId}`
      await failExhausted(openDb(env.DB), nowSeconds() + JUDGING.leaseSeconds + 1)
    }
    expect(
      await firstValue`select status from submissions where judgement_id = ${job.judgementId}`,
    ).toBe(STATUS.JE)
    await submit(student, problemId)
    await expect(submit(student, problemId)).rejects.toThrow('not taken')
  },
)
