/** Estimates what an idle month and a term use of the things that Cloudflare bills, from a sample of minutes and submissions. */
import type { ReportedOutput } from '#contract/judging'
import * as z from 'zod'
import type { Report } from './report.ts'
import { send, type BenchStack } from './stack.ts'
import { addRunner, submitOnce, type Submitter } from './submit.ts'

const DAY = 86_400
const MONTH_MINUTES = 30 * 24 * 60
/** Minutes for which an idle installation is swept and measured, and the minutes before, in which it sets itself up. */
const [IDLE_MINUTES, SET_UP_MINUTES] = [180, 60]
/** The size of a term. */
const [TERM_SUBMISSIONS, TERM_DAYS] = [168_000, 105]
/** Submissions of the sample from which a term is estimated. */
const SAMPLE = 200

/** The most Class A operations of an idle month: a tenth of one each minute for each of six kinds of object. */
const MOST_IDLE_CLASS_A = 25_920
/** The most objects with outputs per submission, once outputs are packed. */
const MOST_OBJECTS = 0.1

/** Kept output that makes an object of some 265 bytes. */
const OUTPUT: ReportedOutput = {
  task: 0,
  case: 0,
  stdout: Buffer.from('Hello, world! '.repeat(4)).toString('base64'),
  stdoutSize: 56,
  stderr: '',
  stderrSize: 0,
  expected: Buffer.from('Hello, world!\n').toString('base64'),
  expectedSize: 14,
}

/** The uses that `worker/uses.ts` counts. */
const uses = z.record(
  z.enum(['calls', 'rowsRead', 'rowsWritten', 'classA', 'classB', 'queueOperations']),
  z.number(),
)
type Uses = z.infer<typeof uses>

const combine = (combined: (key: keyof Uses) => number): Uses =>
  uses.parse(Object.fromEntries(uses.keyType.options.map((key) => [key, combined(key)])))

const now = () => Math.floor(Date.now() / 1_000)

/** What was used since the last call of this function. */
async function takeUses(stack: BenchStack): Promise<Uses> {
  return uses.parse(await (await send(stack, { path: '/bench/uses', cookie: '' })).json())
}

/** What the sweeper uses in a number of minutes from a given time on. */
export async function usesOfMinutes(
  stack: BenchStack,
  from: number,
  minutes: number,
): Promise<Uses> {
  await takeUses(stack)
  await send(stack, { path: `/bench/sweep?from=${from}&minutes=${minutes}`, cookie: '' })
  return takeUses(stack)
}

/** Prints how much was used of each thing that Cloudflare bills. */
function note(report: Report, what: string, used: Uses): void {
  const number = (value: number) => Math.round(value).toLocaleString('en')
  const { calls, rowsRead, rowsWritten, classA, classB, queueOperations } = used
  report.note(`${what}: calls of the Worker`, number(calls))
  report.note(`${what}: rows of D1`, `${number(rowsRead)} read, ${number(rowsWritten)} written`)
  report.note(`${what}: operations of R2`, `${number(classA)} Class A, ${number(classB)} Class B`)
  report.note(`${what}: operations of queues`, number(queueOperations))
}

/** Makes the bucket belong to the database, although it lacks the test data that rows name. */
export async function adoptBucket({ db, miniflare }: BenchStack): Promise<void> {
  await db.prepare("insert into installation (id, token, state) values (1, 'bench', 'ok')").run()
  const bucket = await miniflare.getR2Bucket('BUCKET')
  await bucket.put('installation-id', 'bench')
}

/** Measures an installation with people and courses in which nobody does anything. @returns what it uses in a minute */
export async function reportIdleMonth(stack: BenchStack, report: Report): Promise<Uses> {
  await adoptBucket(stack)
  const start = now()
  await usesOfMinutes(stack, start, SET_UP_MINUTES)
  const used = await usesOfMinutes(stack, start + SET_UP_MINUTES * 60, IDLE_MINUTES)
  const minute = combine((key) => used[key] / IDLE_MINUTES)
  const month = combine((key) => minute[key] * MONTH_MINUTES)
  note(report, 'an idle month', month)
  report.bound('operations of Class A in an idle month', month.classA, MOST_IDLE_CLASS_A)
  return minute
}

/** How many objects with outputs the bucket has. */
async function countObjects({ miniflare }: BenchStack): Promise<number> {
  const bucket = await miniflare.getR2Bucket('BUCKET')
  const found = await Promise.all(
    ['outputs/', 'output-packs/'].map((prefix) => bucket.list({ prefix })),
  )
  return found.reduce((sum, { objects }) => sum + objects.length, 0)
}

/** Measures a term: its submissions and one look at each page, the sweeper's work until they are packed, and the idle minutes. */
export async function reportTerm(
  stack: BenchStack,
  submitter: Submitter,
  idle: Uses,
  report: Report,
): Promise<void> {
  await addRunner(stack)
  await takeUses(stack)
  const headers = { 'X-Count-Uses': '1' }
  for (let round = 0; round < SAMPLE; round += 1)
    await submitOnce(
      submitter,
      (_what, call) => send(stack, { ...call, headers: { ...call.headers, ...headers } }),
      [OUTPUT],
    )
  const sample = await takeUses(stack)
  const before = await countObjects(stack)
  const end = now()
  // On these days outputs are packed, their objects are deleted, submissions are packed, and packs of outputs are marked, then deleted.
  const days = [14, 22, 194, 195, 203]
  const swept: Uses[] = []
  let packed = Number.NaN
  for (const [at, day] of days.entries()) {
    swept.push(await usesOfMinutes(stack, end + day * DAY, 5))
    if (at === 1) packed = await countObjects(stack)
  }
  const own = combine((key) => {
    const beyondIdle = swept.reduce((sum, used) => sum + used[key] - 5 * idle[key], 0)
    return sample[key] + Math.max(0, beyondIdle)
  })
  const term = combine(
    (key) => (own[key] / SAMPLE) * TERM_SUBMISSIONS + idle[key] * TERM_DAYS * 24 * 60,
  )
  note(report, 'a term of 168,000 submissions', term)
  report.note('objects of outputs before they are packed', `${before} for ${SAMPLE} submissions`)
  report.bound('objects of outputs for a submission, once packed', packed / SAMPLE, MOST_OBJECTS)
  const left = await countObjects(stack)
  report.bound('objects of outputs once they have expired', left, 0)
}
