/** `npm run bench -- api`: times of calls next to a bare `select 1`, and whether the time of a refused sign-in tells who exists. */
import { fillPeople, fillSubmissions, PASSWORD } from './installation.ts'
import { percentile, timed, type Report } from './report.ts'
import { send, withBenchStack, type BenchStack, type Call } from './stack.ts'

const ROUNDS = 500
/** The rounds are split into parts, each with a ratio of its own, so that a hiccup of the machine spoils only one. */
const PARTS = 5
const WARM_UP = 50
const SIGN_INS = 200

/** Bounds on ratios. */
const MOST = { read: 2.5, submit: 4, signIn: 1.1 } as const

/** For each part of the rounds: a percentile of the call's times ÷ the same percentile of the bare query's times. Returns the median. */
function ratioOf(own: readonly number[], base: readonly number[], share: number): number {
  const size = ROUNDS / PARTS
  const ratios = Array.from({ length: PARTS }, (_, part) => {
    const [begin, end] = [part * size, (part + 1) * size]
    return percentile(own.slice(begin, end), share) / percentile(base.slice(begin, end), share)
  })
  return percentile(ratios, 0.5)
}

/**
 * Measures each read and a submission against a bare `select 1` on the same stack, in turn, so that other work of the
 * machine slows both alike.
 */
async function benchTimes(stack: BenchStack, report: Report): Promise<void> {
  const { classmate: cookie, course, problemIds } = await fillPeople(stack)
  const submissionId = await fillSubmissions(stack)
  const bare: Call = { path: '/bench/select-1', cookie: '' }
  const read = (path: string) => (): Call => ({ path: `/api${path}`, cookie })
  // Submissions go to one problem after the other: nobody submits to the same problem five hundred times.
  const hand = (round: number): Call => ({
    path: '/api/submission',
    cookie,
    method: 'POST',
    json: { problemId: problemIds.at(round % 10), languageType: 0, code: 'int main(){}' },
  })
  const calls: [string, (round: number) => Call, number][] = [
    ['GET /problem/{id}', read(`/problem/${problemIds[1]}`), MOST.read],
    ['GET /problem', read(`/problem?course=${course}`), MOST.read],
    ['GET /submission', read('/submission?limit=20'), MOST.read],
    ['GET /submission/{id}', read(`/submission/${submissionId}`), MOST.read],
    ['POST /submission', hand, MOST.submit],
  ]
  for (const [name, made, most] of calls) {
    const [base, own]: [number[], number[]] = [[], []]
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const baseMs = await timed(() => send(stack, bare))
      const ownMs = await timed(() => send(stack, made(round)))
      if (round < 0) continue
      base.push(baseMs)
      own.push(ownMs)
    }
    const detail = `p50 ${ratioOf(own, base, 0.5).toFixed(2)}×, ${percentile(own, 0.5).toFixed(2)} ms`
    report.bound(`${name}: p95 ÷ that of select 1`, ratioOf(own, base, 0.95), most, detail)
  }
}

/** Tests that a wrong password and an unknown name take the same time. Each call has a new name and address, so no limit applies. */
async function benchSignIn(stack: BenchStack, report: Report): Promise<void> {
  const times: Record<'wrong' | 'unknown', number[]> = { wrong: [], unknown: [] }
  for (let round = 0; round < SIGN_INS; round += 1)
    for (const [kind, username] of [
      ['wrong', `student${2 + round}`],
      ['unknown', `nobody-${round}`],
    ] as const) {
      const address = `10.${kind === 'wrong' ? 1 : 2}.${round >> 8}.${round & 255}`
      const json = { username, password: `not-${PASSWORD}` }
      const headers = { 'CF-Connecting-IP': address }
      const made = { path: '/api/auth/session', cookie: '', method: 'POST', json, headers }
      times[kind].push(await timed(() => send(stack, made, [403])))
    }
  const medians = [times.wrong, times.unknown].map((values) => percentile(values, 0.5))
  const what = 'wrong password and unknown user, the slower ÷ the quicker'
  report.ratio(what, Math.max(...medians), Math.min(...medians), MOST.signIn)
}

export async function benchApi(report: Report): Promise<void> {
  await withBenchStack(async (stack) => {
    await benchTimes(stack, report)
    await benchSignIn(stack, report)
  })
}
