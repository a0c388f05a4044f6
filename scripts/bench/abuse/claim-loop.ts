/** A judge host that asks for work in a loop, and has given ten thousand queued jobs back: what others pay for it. */
import { createHash } from 'node:crypto'
import { RUNNERS } from '#contract/limits'
import type { ApiAttack } from '../abuse.ts'
import { rowsReadBy, send, type Call } from '../send.ts'
import type { BenchStack } from '../stack.ts'
import { reportBeside } from './beside.ts'

const JOBS = 10_000
/** Rows of a claim: the host, the slots it uses, the job and its subtasks. A host that gave the head back looks at more. */
const MOST_ROWS = { claim: 60, refused: 200, growth: 1.3 } as const
/** Claims in one burst; and before anything is measured, after which the host is told to wait. */
const BURST = 20
const WARM_UP = RUNNERS.vainClaims.burst

const tokenOf = (host: string) => `token of the ${host} host`.replaceAll(' ', '-')
const headersOf = (host: string) => ({ Authorization: `Bearer ${tokenOf(host)}` })

function claimBy(host: string): Call {
  const headers = headersOf(host)
  return { path: '/api/runner/jobs/claim', cookie: '', method: 'POST', json: {}, headers }
}

async function addHost({ db }: BenchStack, host: string): Promise<void> {
  const now = Math.floor(Date.now() / 1_000)
  const hash = createHash('sha256').update(tokenOf(host)).digest('hex')
  await db
    .prepare(
      `insert into runners (id, name, token_hash, state, slots, free, version, created_at, heartbeat_at)
        values ('${host}', '${host}', '${hash}', 'active', 2, 2, '', ${now}, ${now + 86_400})`,
    )
    .run()
}

/** Jobs `first` to `last` of one submission, all given back by a host just now. */
async function addJobs({ db }: BenchStack, submissionId: string, first: number, last: number) {
  const now = Math.floor(Date.now() / 1_000)
  const rows = `(with recursive c(n) as (values(${first}) union all select n + 1 from c where n < ${last}) select n from c)`
  await db.batch([
    db.prepare(
      `insert into judgements (id, submission_id, state, priority, rank, queued_at, ticket_at, phase, cases_total)
        select printf('e%023x', n), '${submissionId}', 'queued', 0, 0, ${now}, ${now}, 'queued', 2 from ${rows}`,
    ),
    db.prepare(
      `insert into hand_backs (judgement_id, runner_id, first_at, last_at, wait_seconds)
        select printf('e%023x', n), 'looping', ${now}, ${now}, 600 from ${rows}`,
    ),
  ])
}

/** A job taken and judged, as an honest host does. */
async function judgeOne({ miniflare }: BenchStack): Promise<void> {
  const headers = headersOf('honest')
  const method = 'POST'
  const url = 'http://judge.test/api/runner/jobs'
  const answer = await miniflare.dispatchFetch(`${url}/claim`, { method, headers })
  if (answer.status !== 200) throw new Error(`no job: ${answer.status}`)
  const { data } = (await answer.json()) as { data: { judgementId: string; lease: string } }
  const numbers = { status: 0, runTime: 3, memoryUsage: 900 }
  const subtask = { ...numbers, score: 100, cases: [numbers, numbers] }
  const texts = { compileMessage: null, reason: null, outputs: [] }
  const stored = await miniflare.dispatchFetch(`${url}/${data.judgementId}/result`, {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ lease: data.lease, ...numbers, score: 100, tasks: [subtask], ...texts }),
  })
  if (stored.status !== 200) throw new Error(`no result: ${stored.status} ${await stored.text()}`)
}

export const claimLoop: ApiAttack = async (stack, { submissionId }, report) => {
  // What others have left in the queue is not what is measured.
  const { db } = stack
  await db.prepare('update judgements set finished_at = 1 where finished_at is null').run()
  for (const host of ['honest', 'looping']) await addHost(stack, host)
  await addJobs(stack, submissionId, 0, 0)
  const first = await rowsReadBy(stack, claimBy('honest'))
  await addJobs(stack, submissionId, 1, JOBS)
  const rows = {
    honest: await rowsReadBy(stack, claimBy('honest')),
    looping: await rowsReadBy(stack, claimBy('looping'), [204]),
  }
  const what = `rows read: claim beside ${JOBS} jobs that another host gave back`
  report.bound(what, rows.honest, MOST_ROWS.claim, `alone ${first}`)
  report.bound(
    `${what} ÷ alone`,
    rows.honest / first,
    MOST_ROWS.growth,
    `${first} → ${rows.honest}`,
  )
  report.bound('rows read: claim of the host that gave them back', rows.looping, MOST_ROWS.refused)
  await db.prepare("update judgements set lease_until = null where runner_id = 'honest'").run()
  const claimOften = async (times: number) => {
    for (let count = 0; count < times; count += 1) await send(stack, claimBy('looping'), [204, 429])
  }
  await claimOften(WARM_UP)
  await reportBeside(stack, report, {
    what: 'judging beside a host that claims in a loop',
    honest: () => judgeOne(stack),
    burst: () => claimOften(BURST),
  })
  await db.prepare("delete from judgements where id like 'e%'").run()
}
