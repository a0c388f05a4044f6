/** A real judge whose runners call it through proxies, and submissions with known verdicts. */
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import * as z from 'zod'
import { courseItem } from '#contract/courses'
import { job } from '#contract/judging'
import { JUDGING } from '#contract/limits'
import { problemCreated } from '#contract/problems'
import {
  type JudgementSummary,
  submissionCreated,
  submissionDetail,
  type SubmissionDetail,
} from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import type { ApiClient } from '../../../scripts/api-client.ts'
import { ROOT } from '../../../scripts/root.ts'
import { testDataZip } from '../../runner/fixtures/zip-builder.ts'
import { TOOLS_DIR } from '../../runner/set-up.ts'
import { rowsOf } from '../../support/database-rows.ts'
import { afterThisFile } from '../../support/clean-up.ts'
import { eventually } from '../../support/eventually.ts'
import { createRunner, type TestRunner } from '../../support/runner.ts'
import {
  type Act,
  type ProxiedCall,
  type RunnerProxy,
  startRunnerProxy,
} from '../../../scripts/stack/runner-proxy.ts'
import { clientOf, startTestStack, type TestStack } from '../../support/stack.ts'

/** Whether this is `npm run test:faults` or `npm run test:full`; otherwise each file runs its shortest part. */
export const isFull = Reflect.get(import.meta, 'env').MODE === 'full'

/** A submission is final after this time at most, whatever fails meanwhile. */
const FINAL_SECONDS = JUDGING.leaseSeconds + 90
/** Time between reads of a submission; frequent reads would slow judging down. */
const POLL_MS = 250
const COURSE = 'Faults'
const CASES = 6

/** The verdict of a test's program. */
export type Ending = 'AC' | 'WA' | 'CE'
export const ENDINGS: readonly Ending[] = ['AC', 'WA', 'CE']

export interface Sent {
  submissionId: string
  ending: Ending
}

/** The fate of a call by the runner with this index. */
type OnRunnerCall = (call: ProxiedCall, runner: number) => Act | Promise<Act>

interface SourceOptions {
  /** Makes the program differ from all earlier ones, so that it is compiled. */
  mark: string
  /** CPU time of each case. */
  ms?: number
}

/** A C program with this ending. */
function sourceOf(ending: Ending, { mark, ms = 0 }: SourceOptions): string {
  if (ending === 'CE') return `/* ${mark} */ int main(void) { return }`
  return `/* ${mark} */
#include <stdio.h>
#include <time.h>
int main(void) { while (clock() < ${ms} * (CLOCKS_PER_SEC / 1000)) {} puts("${ending === 'AC' ? 'done' : 'gone'}"); }`
}

/** The judgement that the answer to a claim or a result hands out; null for any other call. */
export function claimOf({ name, stage, data }: ProxiedCall): string | null {
  if (!['claim', 'result'].includes(name) || stage === 'asked') return null
  const given = job.pick({ judgementId: true }).safeParse((data as { data?: unknown } | null)?.data)
  return given.success ? given.data.judgementId : null
}

/** The judgement in the path of a call about a job. */
export function judgementOf({ path }: ProxiedCall): string {
  return /\/jobs\/(\w+)\//.exec(path)?.[1] ?? ''
}

export class FaultStack {
  readonly stack: TestStack
  readonly admin: ApiClient
  /** Not below /tmp, because boxes do not see precompiled headers there. */
  readonly folder: string
  readonly runners: TestRunner[] = []
  readonly proxies: RunnerProxy[] = []
  /** Decides on each call through a proxy; each test sets its own. */
  onCall: OnRunnerCall = () => true
  /** Judgement → leases whose result the judge answered with 200. */
  readonly accepted = new Map<string, Set<string>>()
  /** Judgement → how often a runner was given it. */
  readonly claims = new Map<string, number>()

  private constructor(stack: TestStack, admin: ApiClient, folder: string) {
    this.stack = stack
    this.admin = admin
    this.folder = folder
  }

  /** Starts a judge with a course and no runners. It stops after the file's last test. */
  /** @param variables further variables of the Worker */
  static async start(variables: Record<string, string> = {}): Promise<FaultStack> {
    const stack = await startTestStack({
      runners: 0,
      variables: { SUBMIT_LIMIT_PER_MINUTE: '0', ...variables },
    })
    await mkdir(join(ROOT, 'build'), { recursive: true })
    const folder = await mkdtemp(join(ROOT, 'build/faults-'))
    afterThisFile(() => rm(folder, { recursive: true, force: true }))
    const admin = await clientOf(stack.url, 'admin')
    await admin.call('POST', '/course', courseItem.pick({ course: true }), {
      json: { course: COURSE, teacher: 'admin' },
    })
    return new FaultStack(stack, admin, folder)
  }

  /**
   * Adds a runner of two slots behind a proxy of its own, without starting it. It stops after the file's last test.
   * @param environment replaces usual variables
   */
  async addRunner(environment: Record<string, string> = {}): Promise<TestRunner> {
    const index = this.runners.length
    const stateDir = this.stateDirOf(index)
    await mkdir(stateDir, { recursive: true })
    await symlink(TOOLS_DIR, join(stateDir, 'tools'))
    const proxy = await startRunnerProxy(this.stack.runnerEnvironment, (call) => {
      this.note(call)
      return this.onCall(call, index)
    })
    const runner = createRunner({
      ...this.stack.runnerEnvironment,
      ...proxy.environment,
      RUNNER_NAME: `tried-${index}`,
      RUNNER_SLOTS: '2',
      RUNNER_STATE_DIR: stateDir,
      ...environment,
    })
    this.runners.push(runner)
    this.proxies.push(proxy)
    afterThisFile(async () => {
      await runner.stop()
      await proxy.close()
    })
    return runner
  }

  stateDirOf(index: number): string {
    return join(this.folder, `state-${index}`)
  }

  /** Adds this many runners and starts them. */
  async startRunners(count: number): Promise<void> {
    const added = []
    for (let index = 0; index < count; index++) added.push(await this.addRunner())
    await Promise.all(added.map((runner) => runner.start()))
  }

  private note(call: ProxiedCall): void {
    const claimed = call.stage === 'answered' ? claimOf(call) : null
    if (claimed !== null) this.claims.set(claimed, (this.claims.get(claimed) ?? 0) + 1)
    if (call.name !== 'result' || call.stage !== 'answered' || call.status !== 200) return
    const leases = this.accepted.get(judgementOf(call)) ?? new Set()
    this.accepted.set(judgementOf(call), leases.add(String(call.body['lease'])))
  }

  /** @param mark makes the test data unique, so that no runner has them yet */
  async createProblem(mark: string): Promise<number> {
    const { problemId } = await this.admin.call('POST', '/problem/manage', problemCreated, {
      json: {
        course: COURSE,
        problemName: 'Patience',
        status: 0,
        description: { description: 'Print done.' },
        testCase: [{ caseCount: CASES, taskScore: 100, memoryLimit: 65_536, timeLimit: 2_000 }],
      },
    })
    const cases: [string, string][] = Array.from({ length: CASES }, () => [mark, 'done\n'])
    await this.admin.uploadTestData(problemId, new Uint8Array(testDataZip([cases])))
    return problemId
  }

  /** Hands in a program, and tries again until the judge confirms it; the judge stores it once. */
  async submit(problemId: number, ending: Ending, options: SourceOptions): Promise<Sent> {
    const key = randomUUID()
    const { submissionId } = await eventually(
      () =>
        this.admin.call('POST', '/submission', submissionCreated, {
          json: { problemId, languageType: 0, code: sourceOf(ending, options) },
          headers: { 'Idempotency-Key': key },
        }),
      POLL_MS,
    )
    return { submissionId, ending }
  }

  /** Hands in this many programs, with all endings in turn. */
  async submitAll(problemId: number, count: number, options: SourceOptions): Promise<Sent[]> {
    const sent = []
    for (let index = 0; index < count; index++) {
      const ending = ENDINGS[index % ENDINGS.length] ?? 'AC'
      const mark = `${options.mark}, ${index}`
      sent.push(await this.submit(problemId, ending, { ...options, mark }))
    }
    return sent
  }

  read(submissionId: string): Promise<SubmissionDetail> {
    return this.admin.call('GET', `/submission/${submissionId}`, submissionDetail)
  }

  /** Waits for the verdict, even if the judge fails to answer for a while. */
  final({ submissionId }: Sent): Promise<SubmissionDetail> {
    return eventually(async () => {
      const found = await this.read(submissionId)
      expect(found.status).not.toBe(STATUS.PENDING)
      return found
    }, POLL_MS)
  }

  /** Each program has its verdict, by one result that the judge accepted, and the judge counted no other result. */
  async expectVerdicts(sent: readonly Sent[]): Promise<JudgementSummary[]> {
    const judgements = []
    for (const one of sent) {
      const found = await this.final(one)
      expect({ ...one, status: found.status }).toEqual({ ...one, status: STATUS[one.ending] })
      if (one.ending !== 'CE') expect(found.tasks?.[0]?.cases).toHaveLength(CASES)
      expect(found.judgements.map(({ state }) => state)).toEqual(['done'])
      for (const judgement of found.judgements) {
        // A runner that did not hear the answer sends the result again, with the same lease.
        const leases = () => this.accepted.get(judgement.judgementId)?.size
        await eventually(() => expect(leases()).toBe(1))
        judgements.push(judgement)
      }
    }
    expect(this.countedResults()).toBe(this.doneJudgements())
    return judgements
  }

  /** As `expectVerdicts`, and each verdict came in time. */
  async expectOneResultEach(sent: readonly Sent[]): Promise<void> {
    for (const { queuedAt, finishedAt } of await this.expectVerdicts(sent))
      expect((finishedAt ?? Infinity) - queuedAt).toBeLessThan(FINAL_SECONDS)
  }

  /** Results counted for hosts; the transaction that stores a result also counts it. */
  private countedResults(): number {
    const schema = z.object({ counts: z.string().transform((text) => JSON.parse(text)) })
    return rowsOf(this.stack.stateDir, 'select verdict_counts as counts from runners', schema)
      .flatMap(({ counts }) => z.array(z.int()).parse(counts))
      .reduce((sum, count) => sum + count, 0)
  }

  private doneJudgements(): number {
    const query = `select count(*) as done from judgements where state = 'done'`
    return rowsOf(this.stack.stateDir, query, z.object({ done: z.int() }))[0]?.done ?? -1
  }
}
