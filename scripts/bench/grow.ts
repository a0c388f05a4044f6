/**
 * `npm run bench -- grow`: lists, handing in, claims and results with two million submissions next to the same with a
 * thousand, in turn; and what pages pay while the sweeper packs old ones.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { addRunner, CLAIM, resultOf } from './abuse/hand-in.ts'
import { fillPeople, fillSubmissions, type Installation } from './installation.ts'
import { percentile, Report, timed } from './report.ts'
import { send, type Call } from './send.ts'
import { startBenchStack, type BenchStack } from './stack.ts'

const SMALL = 1_000
const LARGE = 2_000_000
const ROUNDS = 200
const WARM_UP = 20
/** Steps of the sweeper, of 500 submissions each, that are watched. */
const PACKINGS = 20
/** Between two looks at a page. */
const PAUSE_MS = 20
/** Between two steps: sixty times as often as in an installation. */
const STEP_PAUSE_MS = 1_000

/** Bounds on ratios: of a large installation to a small one, and of a page beside packing to one without. */
const MOST = { large: 1.2, packing: 2 } as const

interface Judge {
  stack: BenchStack
  installation: Installation
}

async function startJudge(submissions: number): Promise<Judge> {
  const stack = await startBenchStack()
  const people = await fillPeople(stack)
  const submissionId = await fillSubmissions(stack, 0, submissions - 1)
  await addRunner(stack)
  return { stack, installation: { ...people, submissionId } }
}

/** The lists that people look at most, and a page. */
function readsOf({ student, classmate, teacher, course, problemId, submissionId }: Installation) {
  const read = (path: string, cookie: string): Call => ({ path: `/api${path}`, cookie })
  return {
    'own submissions': read('/submission?limit=20', student),
    'submissions of a course': read(`/submission?limit=20&course=${course}`, teacher),
    'accepted ones of a course': read(`/submission?limit=20&course=${course}&status=0`, teacher),
    'submissions to a problem': read(
      `/submission?limit=20&course=${course}&problemId=${problemId}`,
      teacher,
    ),
    'problems of a course': read(`/problem?course=${course}`, student),
    'page of a submission': read(`/submission/${submissionId}`, classmate),
  }
}

/** Times of one round: each read, then a hand-in that is claimed and judged. */
async function timeRound({ stack, installation }: Judge, round: number) {
  const times = new Map<string, number>()
  const note = async (name: string, call: Call) => {
    const begin = performance.now()
    const answer = await send(stack, call)
    times.set(name, performance.now() - begin)
    return answer
  }
  for (const [name, call] of Object.entries(readsOf(installation))) await note(name, call)
  const { classmate: cookie, ordinaryProblemIds } = installation
  const problemId = ordinaryProblemIds.at(round % ordinaryProblemIds.length)
  const json = { problemId, languageType: 0, code: 'int main(){}' }
  await note('hand in', { path: '/api/submission', cookie, method: 'POST', json })
  await note('result', await resultOf(await note('claim', CLAIM)))
  return times
}

/** Both judges in turn, so that whatever else the machine does slows both alike. */
async function compareSizes(small: Judge, large: Judge, report: Report): Promise<void> {
  const all = new Map<string, { small: number[]; large: number[] }>()
  for (let round = -WARM_UP; round < ROUNDS; round += 1)
    for (const [size, judge] of Object.entries({ small, large })) {
      const times = await timeRound(judge, round + WARM_UP)
      if (round < 0) continue
      for (const [name, ms] of times) {
        const known = all.get(name) ?? { small: [], large: [] }
        known[size === 'small' ? 'small' : 'large'].push(ms)
        all.set(name, known)
      }
    }
  for (const [name, times] of all) {
    const [own, base] = [percentile(times.large, 0.5), percentile(times.small, 0.5)]
    const detail = `medians ${own.toFixed(1)} ÷ ${base.toFixed(1)} ms`
    report.bound(`${name}: ${LARGE} submissions ÷ ${SMALL}`, own / base, MOST.large, detail)
  }
}

/** What the reads take, look by look, until `isOver`. */
async function readPages({ stack, installation }: Judge, isOver: (looks: number) => boolean) {
  const calls = Object.values(readsOf(installation))
  const times: number[] = []
  while (!isOver(times.length)) {
    const call = calls[times.length % calls.length]
    if (call) times.push(await timed(async () => send(stack, call)))
    await delay(PAUSE_MS)
  }
  return times
}

async function watchPacking(judge: Judge, report: Report): Promise<void> {
  const before = await readPages(judge, (looks) => looks === ROUNDS)
  let isOver = false
  const reading = readPages(judge, () => isOver)
  const steps: number[] = []
  for (let step = 0; step < PACKINGS; step += 1) {
    steps.push(await timed(async () => send(judge.stack, { path: '/bench/pack', cookie: '' })))
    await delay(STEP_PAUSE_MS)
  }
  isOver = true
  const beside = await reading
  const [own, base] = [percentile(beside, 0.5), percentile(before, 0.5)]
  const detail = `${own.toFixed(1)} ÷ ${base.toFixed(1)} ms; p95 ${percentile(beside, 0.95).toFixed(0)}, a step ${percentile(steps, 0.5).toFixed(0)} ms`
  report.bound(
    'pages beside the packing of old submissions ÷ without',
    own / base,
    MOST.packing,
    detail,
  )
}

/** Answers whether every bound holds. */
export async function benchGrow(): Promise<boolean> {
  const report = new Report()
  const small = await startJudge(SMALL)
  try {
    const large = await startJudge(LARGE)
    try {
      await compareSizes(small, large, report)
      await watchPacking(large, report)
    } finally {
      await large.stack.stop()
    }
  } finally {
    await small.stack.stop()
  }
  return report.holds
}
