/** The calls of one submission, from the POST to its result, with a simulated judge host. */
import { createHash } from 'node:crypto'
import type { ReportedOutput } from '#contract/judging'
import { STATUS } from '#contract/verdicts'
import type { BenchStack, Call, send } from './stack.ts'

const RUNNER_TOKEN = 'token-of-the-runner-of-the-benchmarks'

/** Adds a simulated judge host. */
export async function addRunner({ db }: BenchStack): Promise<void> {
  const now = Math.floor(Date.now() / 1_000)
  const hash = createHash('sha256').update(RUNNER_TOKEN).digest('hex')
  await db
    .prepare(
      `insert into runners (id, name, token_hash, state, slots, free, version, created_at, heartbeat_at)
        values ('played', 'played', '${hash}', 'active', 1, 1, '', ${now}, ${now})`,
    )
    .run()
}

/** A student and the problem to submit to. */
export interface Submitter {
  cookie: string
  problemId: number
}

/** Makes the calls of one submission, each by `make`, and reads its page. @param outputs those that the result keeps */
export async function submitOnce(
  { cookie, problemId }: Submitter,
  make: (what: string, call: Call) => ReturnType<typeof send>,
  outputs: ReportedOutput[] = [],
): Promise<void> {
  const dataOf = async (answer: Awaited<ReturnType<typeof send>>) =>
    ((await answer.json()) as { data: Record<string, string> }).data
  const post = { cookie, method: 'POST' }
  const json = { problemId, languageType: 0, code: 'int main(){}' }
  const created = await make('hand in', { ...post, path: '/api/submission', json })
  const { submissionId } = await dataOf(created)
  const call = {
    cookie: '',
    method: 'POST',
    headers: { Authorization: `Bearer ${RUNNER_TOKEN}` },
  }
  const claimed = await make('claim', { ...call, path: '/api/runner/jobs/claim', json: {} })
  const { judgementId, lease } = await dataOf(claimed)
  const path = `/api/runner/jobs/${judgementId}`
  const progress = { lease, phase: 'running', done: 1, total: 2 }
  await make('progress', { ...call, path: `${path}/progress`, json: progress })
  await make('look at the page', { path: `/api/submission/${submissionId}`, cookie })
  const ran = { status: STATUS.AC, runTime: 3, memoryUsage: 900 }
  const skipped = { status: null, runTime: null, memoryUsage: null }
  // An accepted case keeps no outputs.
  const isWrong = outputs.length > 0
  const outcome = isWrong ? { ...ran, status: STATUS.WA, score: 0 } : { ...ran, score: 100 }
  const { score: _, ...first } = outcome
  const tasks = [{ ...outcome, cases: [first, isWrong ? skipped : ran] }]
  const result = { lease, ...outcome, tasks, compileMessage: null, reason: null, outputs }
  await make('result', { ...call, method: 'PUT', path: `${path}/result`, json: result })
}
