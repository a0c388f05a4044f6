/**
 * The judging pipeline for a model-based test: the real queries on the real D1, a queue that loses and repeats messages,
 * runners that die, and a clock that the test moves.
 */
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { JUDGING } from '#contract/limits'
import type { JobRelease } from '#contract/judging'
import { STATUS, type Verdict } from '#contract/verdicts'
import { sweep } from '../../../worker/background/sweep.ts'
import { openDb } from '../../../worker/db/client.ts'
import type { SessionUser } from '../../../worker/db/sessions.ts'
import { claimBest } from '../../../worker/features/judging/claim/claim-queries.ts'
import {
  HAND_BACK,
  releaseJudgement,
} from '../../../worker/features/judging/lease/hand-back-queries.ts'
import { rejudge } from '../../../worker/features/judging/rejudge/rejudge-queries.ts'
import { takeResult } from './take-result.ts'
import { recordHeartbeat } from '../../../worker/features/judging/hosts/runner-queries.ts'
import { createSubmission } from '../../../worker/features/submissions/create.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newSecret } from '../../../worker/lib/ids.ts'
import { sendTickets } from '../../../worker/lib/queues.ts'
import { reportOf } from './judge.ts'
import { workerEnv } from './step-queue.ts'
import { allRows, firstRow, runSql } from './sql.ts'
import { createProblem, registerRunner, type Person } from './world.ts'

/** A problem, and runners that the database knows. */
export async function newWorld() {
  const { problemId, course } = await createProblem()
  for (let count = 0; count < 3; count += 1) await registerRunner()
  const results = await allRows<{ id: string }>`
    select id from runners order by id desc limit 3`
  return { problemId, course, runnerIds: results.map(({ id }) => id) }
}
type World = Awaited<ReturnType<typeof newWorld>>

/** The mistake of all results; only those of failed programs keep it. */
const MISTAKE = 'M'.repeat(16)

/** Jobs a runner may hold. */
const SLOTS = 2

/** The reason for a hand-back. */
type Why = Pick<JobRelease, 'drained' | 'fault'>
const WHY: Record<string, Why> = {
  drain: { drained: true },
  'trouble with this job': { drained: false, fault: 'job' },
  'trouble of the host': { drained: false, fault: 'host' },
  'trouble told by an older runner': { drained: false },
}

/** A job that a runner holds, or held when it died. */
interface LeasedJob {
  runner: number
  judgementId: string
  lease: string
}

/** The pipeline and its surroundings. Indexes of messages, jobs and submissions wrap around at their number. */
export class Pipeline {
  private readonly db = openDb(env.DB)
  private readonly world: World
  private readonly student: Person
  private readonly submissions: string[] = []
  /** Tickets in the queue. */
  private messages: string[] = []
  private leased: LeasedJob[] = []
  /** Jobs on the disks of dead runners. */
  private readonly ghosts: LeasedJob[] = []
  private now = nowSeconds()

  constructor(world: World, student: Person) {
    this.world = world
    this.student = student
  }

  /** Adds a new student, so that no history is longer than one run. */
  async join(): Promise<void> {
    await runSql`insert into memberships (course_id, user_id, role, joined_at) select id, ${this.student.id}, 'student', 0 from courses
      where name = ${this.world.course}`
  }

  private get bindings() {
    const queue = {
      sendBatch: async (messages: { body: { judgementId: string } }[]) => {
        this.messages.push(...messages.map(({ body }) => body.judgementId))
      },
    }
    return Object.assign({ ...workerEnv }, { JUDGE_QUEUE: queue, SUBMIT_LIMIT_PER_MINUTE: '0' })
  }

  private get change() {
    const { id, username } = this.student
    const actor: SessionUser = {
      id,
      username,
      displayedName: '',
      role: 2,
      email: '',
      emailConfirmedAt: null,
      confirmDueAt: null,
      bio: '',
    }
    return { actor, ip: '', now: this.now }
  }

  /** Hands in code; its message may be lost at once. */
  async submit(isSent: boolean): Promise<void> {
    const form = { problemId: this.world.problemId, languageType: 0, code: 'x' } as const
    const accepted = await createSubmission(this.bindings, this.db, form, null, this.change)
    this.submissions.push(accepted.submissionId)
    if (isSent && accepted.judgementId) await sendTickets(this.bindings, [accepted.judgementId])
  }

  lose(index: number): void {
    this.messages.splice(index % Math.max(1, this.messages.length), 1)
  }

  duplicate(index: number): void {
    const message = this.messages[index % Math.max(1, this.messages.length)]
    if (message !== undefined) this.messages.push(message)
  }

  purge(): void {
    this.messages = []
  }

  /** A runner pulls a ticket, which is then gone, and claims a job. */
  async deliver(index: number, runner: number): Promise<void> {
    if (this.messages.length === 0) return
    this.lose(index)
    await this.claim(runner)
  }

  /** A runner claims a job; if the answer is lost, no runner knows of the lease. */
  async claim(runner: number, isLost = false): Promise<void> {
    const lease = newSecret()
    const claimant = { id: this.world.runnerIds[runner] ?? '', slots: SLOTS }
    const { claimed } = await claimBest(this.db, claimant, lease, this.now)
    if (!claimed || isLost) return
    expect(claimed.job).not.toHaveProperty('reason')
    this.leased.push({ runner, judgementId: claimed.id, lease })
  }

  /** A lease ends while its runner still works, and another runner claims the job. */
  async takeOver(runner: number): Promise<void> {
    this.wait(JUDGING.leaseSeconds + 1)
    await this.claim(runner)
  }

  /** A runner dies; its finished jobs stay on its disk. */
  crash(runner: number): void {
    this.ghosts.push(...this.leased.filter((job) => job.runner === runner))
    this.leased = this.leased.filter((job) => job.runner !== runner)
  }

  /** The present state of a judgement. */
  private async stateOf(judgementId: string) {
    return firstRow<{ lease: string | null; state: string; status: number; attempt: number }>`
      select lease, state, status, attempt from judgements where id = ${judgementId}`
  }

  /**
   * A result arrives `times` times at once. It is stored if its lease holds, changes nothing if it is already stored, and is
   * refused if another runner has the lease.
   */
  private async send(
    { judgementId, lease }: LeasedJob,
    verdict: Verdict,
    times: number,
  ): Promise<void> {
    const before = await this.stateOf(judgementId)
    const report = { ...reportOf(lease, verdict), mistake: MISTAKE, outputs: [] }
    const answers = await Promise.allSettled(
      Array.from({ length: times }, () =>
        takeResult(this.bindings, this.db, judgementId, report, this.now),
      ),
    )
    const isTaken = before?.lease === lease && ['leased', 'done'].includes(before.state)
    for (const answer of answers)
      if (isTaken) expect(answer.status).toBe('fulfilled')
      else expect(answer).toMatchObject({ reason: { code: 'stale_lease' } })
    const isNew = isTaken && before.state === 'leased'
    expect((await this.stateOf(judgementId))?.status).toBe(isNew ? verdict : before?.status)
  }

  /** Reports the oldest job that a runner holds. */
  async report(verdict: Verdict, times: number): Promise<void> {
    const job = this.leased.shift()
    if (job) await this.send(job, verdict, times)
    // The runner keeps the result until it gets the answer, so it may send it again.
    if (job) this.ghosts.push(job)
  }

  /** A result on a runner's disk arrives late: after the runner died, or after the result was already accepted. */
  async reportLate(index: number, verdict: Verdict): Promise<void> {
    const job = this.ghosts[index % Math.max(1, this.ghosts.length)]
    if (job) await this.send(job, verdict, 1)
  }

  /** Hands back the newest job; the attempt counts if the job is the trouble. */
  async release(why: string): Promise<void> {
    const job = this.leased.pop()
    if (!job) return
    const before = await this.stateOf(job.judgementId)
    const release = { lease: job.lease, drained: false, reason: why, ...WHY[why] }
    const isTaken = await releaseJudgement(this.db, job.judgementId, release, this.now)
    expect(isTaken).toBe(before?.lease === job.lease && before.state === 'leased')
    const isFree = release.drained || release.fault === 'host'
    if (isTaken)
      expect((await this.stateOf(job.judgementId))?.attempt).toBe(
        Math.max(0, (before?.attempt ?? 0) - (isFree ? 1 : 0)),
      )
  }

  /** A runner's heartbeat. `started`: the runner has just started, and jobs that it does not name become free. */
  async beat(runner: number, started: boolean): Promise<void> {
    const active = this.leased.filter((job) => job.runner === runner).map((job) => job.judgementId)
    const beat = { active, slots: SLOTS, free: SLOTS, load: 0, started }
    const host = { id: this.world.runnerIds[runner] ?? '', slotLimit: SLOTS }
    const freed = await recordHeartbeat(this.db, host, beat, this.now)
    await sendTickets(this.bindings, freed)
  }

  wait(seconds: number): void {
    this.now += seconds
  }

  async sweep(): Promise<void> {
    await sweep(this.bindings, this.now)
  }

  async rejudge(index: number): Promise<void> {
    const submissionId = this.submissions[index % Math.max(1, this.submissions.length)]
    if (submissionId === undefined) return
    const judgementId = await rejudge(this.db, { submissionId }, this.change)
    await sendTickets(this.bindings, judgementId === null ? [] : [judgementId])
  }

  /** Holds after every step: a pending submission has exactly one open judgement, its current one; a final submission has none. */
  async expectConsistent(): Promise<void> {
    const results =
      await allRows`select s.id, s.status, s.judgement_id as current, c.status as verdict, c.score as score, s.score as shown,
          (select json_group_array(j.id) from judgements j where j.submission_id = s.id and j.finished_at is null) as open
        from submissions s join judgements c on c.id = s.judgement_id where s.user_id = ${this.student.id}`
    expect(results).toHaveLength(this.submissions.length)
    for (const row of results) {
      const isPending = row['status'] === STATUS.PENDING
      expect(JSON.parse(String(row['open'])), JSON.stringify(row)).toEqual(
        isPending ? [row['current']] : [],
      )
      expect([row['status'], row['shown']]).toEqual([row['verdict'], row['score']])
    }
    // One job for each slot, and one result on its way for each.
    const hosts = await allRows<{ jobs: number }>`
      select count(*) as jobs from judgements where finished_at is null and state = 'leased' and lease_until >= ${this.now}
        group by runner_id`
    for (const { jobs } of hosts) expect(jobs).toBeLessThanOrEqual(2 * SLOTS)
  }

  /**
   * One healthy runner and the sweeper suffice. After the last lease nothing waits, because this runner, now the only living
   * one, may also take the jobs that it handed back; and every number is right.
   */
  async expectAllFinal(): Promise<void> {
    this.crash(0)
    this.crash(1)
    this.crash(2)
    // Only tickets from the sweeper tell the runner of work.
    this.purge()
    const longest = 120 + HAND_BACK.longestAloneSeconds
    for (let seconds = 0; seconds <= longest; seconds += 30) {
      await this.sweep()
      while (this.messages.length > 0) {
        await this.deliver(0, 0)
        await this.report(STATUS.AC, 1)
      }
      this.wait(30)
    }
    await this.expectConsistent()
    const results =
      await allRows`select count(*) as tries, coalesce(sum(status = -1), 0) as pending,
          coalesce(sum(case when status <> 6 then score end), 0) as sum, coalesce(sum(status <> 6), 0) as scored,
          max(iif(status = 1, id, null)) as failed
        from submissions where user_id = ${this.student.id}`
    const { pending, ...counted } = results[0] ?? {}
    expect(pending).toBe(0)
    if (this.submissions.length === 0) return
    const summary =
      await firstRow`select tries, score_sum as sum, scored, failed_id as failed from problem_results
        where user_id = ${this.student.id}`
    expect(summary).toEqual(counted)
  }
}

/** A step of the model as a fast-check command; every step is always possible. */
function step<Args extends unknown[]>(
  name: string,
  run: (real: Pipeline, ...args: Args) => Promise<void> | void,
) {
  return (...args: Args): fc.AsyncCommand<object, Pipeline> => ({
    check: () => true,
    async run(_model, real) {
      await run(real, ...args)
      await real.expectConsistent()
    },
    toString: () => `${name}(${args.join(', ')})`,
  })
}

const index = fc.nat(50)
const runner = fc.nat(2)
const verdict = fc.constantFrom<Verdict[]>(STATUS.AC, STATUS.WA, STATUS.JE)
const flag = fc.boolean()

const submitting = flag.map(step('submit', (real, isSent: boolean) => real.submit(isSent)))
const claiming = fc
  .tuple(runner, flag)
  .map((args) => step('claim', (real, by: number, lost: boolean) => real.claim(by, lost))(...args))
const takingOver = runner.map(step('takeOver', (real, by: number) => real.takeOver(by)))
const reporting = fc
  .tuple(verdict, fc.integer({ min: 1, max: 3 }))
  .map((args) =>
    step('report', (real, what: Verdict, times: number) => real.report(what, times))(...args),
  )

/** All possible events in random numbers; events that move submissions on are more frequent. */
export const COMMANDS = [
  ...Array.from({ length: 4 }, () => [submitting, claiming, takingOver, reporting]).flat(),
  fc
    .tuple(index, runner)
    .map((args) =>
      step('deliver', (real, at: number, by: number) => real.deliver(at, by))(...args),
    ),
  index.map(step('lose', (real, at: number) => real.lose(at))),
  index.map(step('duplicate', (real, at: number) => real.duplicate(at))),
  fc.constant(step('purge', (real) => real.purge())()),
  runner.map(step('crash', (real, by: number) => real.crash(by))),
  fc
    .tuple(index, verdict)
    .map((args) =>
      step('reportLate', (real, at: number, what: Verdict) => real.reportLate(at, what))(...args),
    ),
  fc
    .constantFrom(...Object.keys(WHY))
    .map(step('release', (real, why: string) => real.release(why))),
  fc
    .tuple(runner, flag)
    .map((args) =>
      step('beat', (real, by: number, started: boolean) => real.beat(by, started))(...args),
    ),
  fc.integer({ min: 1, max: 120 }).map(step('wait', (real, seconds: number) => real.wait(seconds))),
  fc.constant(step('sweep', (real) => real.sweep())()),
  index.map(step('rejudge', (real, at: number) => real.rejudge(at))),
]
