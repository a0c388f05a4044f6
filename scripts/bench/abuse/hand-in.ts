/** Handing in all day to one problem: what one more hand-in and its result cost after that, in rows and in time. */
import { createHash } from 'node:crypto'
import type { ApiAttack } from '../abuse.ts'
import { historyStatements } from '../long-history.ts'
import { percentile, timed, type Report } from '../report.ts'
import { rowsReadBy, send, type Call } from '../send.ts'
import type { BenchStack } from '../stack.ts'

/** Bounds on ratios to somebody's first hand-in, and on rows. */
const MOST = { rows: 60, moreRows: 1.1, slower: 1.5 } as const

/** Hand-ins that came before; the last is a day at the permitted rate of one in two seconds. */
const EARLIER = [0, 1_000, 10_000, 43_200]
const SPACING = 2
const ROUNDS = 40
const WARM_UP = 5

const TOKEN = 'token-of-the-runner-of-hand-in'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Somebody and the problem they hand in to. */
interface Submitter {
  cookie: string
  problemId: number
}

/** A student of the first course with a problem of their own and that many hand-ins to it. */
export async function addSubmitter({ db }: BenchStack, index: number): Promise<Submitter> {
  const now = Math.floor(Date.now() / 1_000)
  const [id, count = 0] = [90_000 + index, EARLIER[index]]
  const cookie = `session of submitter ${index}`.replaceAll(' ', '-')
  const statements = [
    `insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
      values (${id}, 'submitter${index}', 'submitter${index}', 'submitter${index}@x.test', '', 2, 1, ${now})`,
    `insert into sessions (token_hash, user_id, created_at, last_seen_at, ip, agent)
      values ('${sha256(cookie)}', ${id}, ${now}, ${now}, '', '')`,
    `insert into memberships (course_id, user_id, role, joined_at) values (11, ${id}, 'student', ${now})`,
    `insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language, description,
        compare, test_data_version, created_at, updated_at)
      select ${id}, 11, 'Handed in to all day', status, type, owner_id, tags, quota, allowed_language, description,
        compare, test_data_version, created_at, updated_at from problems where id = 1`,
    `insert into subtasks (problem_id, position, case_count, task_score, memory_limit_kb, time_limit_ms, output_limit_kb, is_sample)
      select ${id}, position, case_count, task_score, memory_limit_kb, time_limit_ms, output_limit_kb, is_sample
      from subtasks where problem_id = 1`,
    ...(count === 0
      ? []
      : historyStatements({ userId: id, problemId: id, count, spacing: SPACING, now })),
  ]
  for (const statement of statements) await db.prepare(statement).run()
  return { cookie: `__Host-session=${cookie}`, problemId: id }
}

export async function addRunner({ db }: BenchStack): Promise<void> {
  const now = Math.floor(Date.now() / 1_000)
  await db
    .prepare(
      `insert into runners (id, name, token_hash, state, slots, free, version, created_at, heartbeat_at)
        values ('runner-of-hand-in', 'hand-in', '${sha256(TOKEN)}', 'active', 1, 1, '', ${now}, ${now})`,
    )
    .run()
}

export function handIn({ cookie, problemId }: Submitter): Call {
  const json = { problemId, languageType: 0, code: 'int main(){}' }
  return { path: '/api/submission', cookie, method: 'POST', json }
}

/** The call that takes the one job there is. */
export const CLAIM: Call = {
  path: '/api/runner/jobs/claim',
  cookie: '',
  method: 'POST',
  json: {},
  headers: { Authorization: `Bearer ${TOKEN}` },
}

/** The call that reports the result of a job, from the answer to its claim. */
export async function resultOf(answer: { json(): Promise<unknown> }): Promise<Call> {
  const { data } = (await answer.json()) as { data: { judgementId: string; lease: string } }
  const one = { status: 0, runTime: 3, memoryUsage: 900 }
  const subtask = { status: 0, score: 100, runTime: 3, memoryUsage: 900, cases: [one, one] }
  const json = {
    lease: data.lease,
    status: 0,
    score: 100,
    runTime: 3,
    memoryUsage: 900,
    tasks: [subtask],
    compileMessage: null,
    reason: null,
    outputs: [],
  }
  const result = `/api/runner/jobs/${data.judgementId}/result`
  return { ...CLAIM, path: result, method: 'PUT', json }
}

/** Takes the one job there is; gives the call that reports its result. */
async function claimed(stack: BenchStack): Promise<Call> {
  return resultOf(await send(stack, CLAIM))
}

/** Rows of a hand-in and of its result, for each number of earlier ones. */
async function reportRows(stack: BenchStack, submitters: Submitter[], report: Report) {
  const firsts = new Map<string, number>()
  for (const [index, submitter] of submitters.entries()) {
    const calls = {
      'POST /submission': await rowsReadBy(stack, handIn(submitter)),
      result: await rowsReadBy(stack, await claimed(stack)),
    }
    for (const [name, rows] of Object.entries(calls)) {
      const first = firsts.get(name) ?? rows
      firsts.set(name, first)
      const what = `rows read: ${name} after ${EARLIER[index]} to the problem`
      report.bound(what, rows, MOST.rows, `the first ${first}`)
      report.bound(`${what} ÷ the first`, rows / first, MOST.moreRows, `${first} → ${rows}`)
    }
  }
}

/** Time of a hand-in and of its result after a day of them ÷ after none, both in turn. */
async function reportTimes(stack: BenchStack, submitters: Submitter[], report: Report) {
  const ends = [submitters[0], submitters.at(-1)].filter((one) => one !== undefined)
  const times = ends.map(() => ({ post: [] as number[], result: [] as number[] }))
  for (let round = -WARM_UP; round < ROUNDS; round += 1)
    for (const [index, submitter] of ends.entries()) {
      const post = await timed(async () => send(stack, handIn(submitter)))
      const result = await claimed(stack)
      const stored = await timed(async () => send(stack, result))
      if (round < 0) continue
      times[index]?.post.push(post)
      times[index]?.result.push(stored)
    }
  for (const [key, name] of [
    ['post', 'POST /submission'],
    ['result', 'result'],
  ] as const) {
    const [first = 0, last = 0] = times.map((one) => percentile(one[key], 0.5))
    const detail = `medians ${first.toFixed(1)} and ${last.toFixed(1)} ms`
    const what = `${name} after ${EARLIER.at(-1)} to the problem ÷ after none`
    report.bound(what, last / first, MOST.slower, detail)
  }
}

export const handingIn: ApiAttack = async (stack, _installation, report) => {
  await addRunner(stack)
  const submitters = []
  for (const index of EARLIER.keys()) submitters.push(await addSubmitter(stack, index))
  await reportRows(stack, submitters, report)
  await reportTimes(stack, submitters, report)
}
