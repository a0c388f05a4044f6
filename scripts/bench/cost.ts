/**
 * `npm run bench -- cost`: what a submission uses of the things that Cloudflare bills, from the POST to its result; and how many rows notices and
 * joining take.
 */
import { reportNoticeRows } from './notice-rows.ts'
import { fillPeople, fillSubmissions } from './installation.ts'
import type { Report } from './report.ts'
import { MAILING, send, withBenchStack, type BenchStack } from './stack.ts'
import { addRunner, submitOnce, type Submitter } from './submit.ts'
import { reportIdleMonth, reportTerm } from './term.ts'

/** Submissions before the measurement, and submissions over which CPU time and size are averaged. */
const WARM_UP = 20
const ROUNDS = 200

/** How often `ROUNDS` submissions are made and packed. The first time does not count: only later ones reuse freed database pages. */
const PACKINGS = 5
/** The most bytes of the database that a packed submission takes. */
const MOST_PACKED_BYTES = 700

/** The most rows that may be read and written for one submission and its result, without any page that shows it. */
const MOST = { read: 130, written: 34 } as const

async function reportRows(stack: BenchStack, submitter: Submitter, report: Report): Promise<void> {
  const total = { read: 0, written: 0 }
  await submitOnce(submitter, async (what, call) => {
    const headers = { ...call.headers, 'X-Count-Rows': '1' }
    const answer = await send(stack, { ...call, headers })
    const read = Number(answer.headers.get('X-Rows-Read'))
    const written = Number(answer.headers.get('X-Rows-Written'))
    report.note(what, `${read} rows read, ${written} written`)
    total.read += read
    total.written += written
    return answer
  })
  report.bound('rows read by a submission', total.read, MOST.read)
  report.bound('rows written by a submission', total.written, MOST.written)
}

/** Makes this many submissions and prints nothing about them. */
async function submitOften(stack: BenchStack, submitter: Submitter, times: number): Promise<void> {
  for (let round = 0; round < times; round += 1)
    await submitOnce(submitter, (_what, call) => send(stack, call))
}

/** Bytes of the database. */
async function sizeOf({ db }: BenchStack): Promise<number> {
  const { meta } = await db.prepare('select 1').run()
  return meta.size_after
}

async function reportAverages(stack: BenchStack, submitter: Submitter, report: Report) {
  await submitOften(stack, submitter, WARM_UP)
  const [cpuMs, size] = [stack.cpuMs(), await sizeOf(stack)]
  await submitOften(stack, submitter, ROUNDS)
  const spentMs = ((stack.cpuMs() - cpuMs) / ROUNDS).toFixed(1)
  report.note('CPU time of Worker and database together', `${spentMs} ms a submission`)
  const grown = (((await sizeOf(stack)) - size) / ROUNDS).toFixed(0)
  report.note('growth of the database', `${grown} bytes a submission`)
}

/** Measures what the database keeps of a packed submission, whose code and judgements are in the bucket. Call it on an empty database. */
async function reportPacked(stack: BenchStack, submitter: Submitter, report: Report) {
  const sizes: number[] = []
  for (let packing = 0; packing < PACKINGS; packing += 1) {
    await submitOften(stack, submitter, ROUNDS)
    await send(stack, { path: '/bench/pack', cookie: '' })
    sizes.push(await sizeOf(stack))
  }
  const grown = (sizes.at(-1) ?? 0) - (sizes[0] ?? 0)
  const bytes = grown / (ROUNDS * (PACKINGS - 1))
  report.bound('bytes of the database for an old submission', bytes, MOST_PACKED_BYTES)
}

export async function benchCost(report: Report): Promise<void> {
  await withBenchStack(async (stack) => {
    const { student, classmate, problemIds } = await fillPeople(stack)
    const [problemId = 0] = problemIds
    await addRunner(stack)
    await reportPacked(stack, { cookie: classmate, problemId }, report)
    await fillSubmissions(stack)
    const submitter = { cookie: student, problemId }
    await reportRows(stack, submitter, report)
    await reportAverages(stack, submitter, report)
  })
  // This part has a stack of its own, because its clock runs ahead.
  await withBenchStack(async (stack) => {
    const { student: cookie } = await fillPeople(stack)
    const idle = await reportIdleMonth(stack, report)
    await reportTerm(stack, { cookie, problemId: 1 }, idle, report)
  })
  await withBenchStack((stack) => reportNoticeRows(stack, report), false, MAILING)
}
