/** `npm run bench -- cost`: what a submission costs in what Cloudflare bills, from handing in to its result. */
import { addRunner, addSubmitter, CLAIM, handIn, resultOf } from './abuse/hand-in.ts'
import { fillPeople, fillSubmissions } from './installation.ts'
import { Report } from './report.ts'
import { send, type Call } from './send.ts'
import { startBenchStack, type BenchStack } from './stack.ts'

/** Submissions that were made before, and those over which CPU time and size are averaged. */
const BEFORE = 10_000
const WARM_UP = 20
const ROUNDS = 200

/** How often so many are handed in and packed. Each time takes the pages that the one before left free, so the first says nothing. */
const PACKINGS = 5
/** Bytes of the database that a packed submission takes, at most. */
const MOST_PACKED_BYTES = 700

/** The most rows of one submission, with its result and no page about it. */
const MOST = { read: 130, written: 34 } as const

/** Rows that a call has read and written, by the answer of the counting Worker. */
interface Rows {
  read: number
  written: number
}

/** Makes the calls of one submission, each by `make`, and a look at its page. */
async function submitOnce(
  submitter: Parameters<typeof handIn>[0],
  make: (what: string, call: Call) => ReturnType<typeof send>,
): Promise<void> {
  const { cookie } = submitter
  const created = await make('hand in', handIn(submitter))
  const { data } = (await created.json()) as { data: { submissionId: string } }
  const job = await make('claim', CLAIM)
  const { json, path, ...rest } = await resultOf(job.clone())
  const { lease } = json as { lease: string }
  const progress = { lease, phase: 'running', done: 1, total: 2 }
  await make('progress', {
    ...rest,
    method: 'POST',
    path: path.replace('/result', '/progress'),
    json: progress,
  })
  await make('look at the page', { path: `/api/submission/${data.submissionId}`, cookie })
  await make('result', { ...rest, path, json })
}

async function reportRows(
  stack: BenchStack,
  submitter: Parameters<typeof handIn>[0],
  report: Report,
) {
  const total: Rows = { read: 0, written: 0 }
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

/** Bytes of the database. */
async function sizeOf({ db }: BenchStack): Promise<number> {
  const { meta } = await db.prepare('select 1').run()
  return meta.size_after
}

async function reportAverages(
  stack: BenchStack,
  submitter: Parameters<typeof handIn>[0],
  report: Report,
) {
  const make = async (_what: string, call: Call) => send(stack, call)
  for (let round = 0; round < WARM_UP; round += 1) await submitOnce(submitter, make)
  const [cpu, size] = [stack.cpuMs(), await sizeOf(stack)]
  for (let round = 0; round < ROUNDS; round += 1) await submitOnce(submitter, make)
  const cpuMs = (stack.cpuMs() - cpu) / ROUNDS
  report.note('CPU time of Worker and database together', `${cpuMs.toFixed(1)} ms a submission`)
  const grown = ((await sizeOf(stack)) - size) / ROUNDS
  report.note('growth of the database', `${grown.toFixed(0)} bytes a submission`)
}

/** What the database keeps of a submission whose code and judgements are in the bucket; before there are others. */
async function reportPacked(
  stack: BenchStack,
  submitter: Parameters<typeof handIn>[0],
  report: Report,
) {
  const sizes: number[] = []
  for (let packing = 0; packing < PACKINGS; packing += 1) {
    for (let round = 0; round < ROUNDS; round += 1)
      await submitOnce(submitter, async (_what, call) => send(stack, call))
    await send(stack, { path: '/bench/pack', cookie: '' })
    sizes.push(await sizeOf(stack))
  }
  const grown = (sizes.at(-1) ?? 0) - (sizes[0] ?? 0)
  const bytes = grown / (ROUNDS * (PACKINGS - 1))
  report.bound('bytes of the database for an old submission', bytes, MOST_PACKED_BYTES)
}

/** Answers whether every bound holds. */
export async function benchCost(): Promise<boolean> {
  const report = new Report()
  const stack = await startBenchStack()
  try {
    await fillPeople(stack)
    await addRunner(stack)
    await reportPacked(stack, await addSubmitter(stack, PACKINGS), report)
    await fillSubmissions(stack, 0, BEFORE - 1)
    const submitter = await addSubmitter(stack, 0)
    await reportRows(stack, submitter, report)
    await reportAverages(stack, submitter, report)
  } finally {
    await stack.stop()
  }
  return report.holds
}
