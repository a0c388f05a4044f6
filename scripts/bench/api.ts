/** `npm run bench -- api`: what lists read as the installation grows, response times, the zip check, sign-in. */
import { fillPeople, fillSubmissions, PASSWORD, type Installation } from './installation.ts'
import { percentile, Report, timed } from './report.ts'
import { rowsReadBy, send, type Call } from './send.ts'
import { startBenchStack, type BenchStack } from './stack.ts'
import { benchZip } from './zip.ts'

const SMALL = 10_000
const LARGE = 1_000_000
const ROUNDS = 500
/** Parts of the rounds, each with a ratio of its own, so that a hiccup of the machine spoils one of them. */
const PARTS = 5
const WARM_UP = 50
const SIGN_INS = 200

/** Bounds on ratios. */
const MOST = { rows: 1.1, read: 2.5, submit: 4, signIn: 1.1 } as const

/** Every list and who reads it. */
function listsOf(installation: Installation): [string, string, string][] {
  const { student, teacher, admin, course, username, problemId } = installation
  const submissions = [
    '',
    '&status=0',
    '&languageType=0',
    '&status=0&languageType=0',
    `&problemId=${problemId}`,
    `&problemId=${problemId}&status=0`,
    `&username=${username}`,
    `&username=${username}&problemId=${problemId}&status=0&languageType=1`,
    '&offset=20&count=20',
  ].flatMap((filter): [string, string, string][] => [
    ['student', student, `/submission?limit=20${filter}`],
    ['teacher', teacher, `/submission?limit=20&course=${course}${filter}`],
    ['admin', admin, `/submission?limit=20${filter}`],
  ])
  return [
    ...submissions,
    ['student', student, '/course'],
    ['admin', admin, '/course'],
    ['student', student, '/ann'],
    ['student', student, `/course/${course}/ann`],
    ['student', student, '/homework'],
    ['student', student, `/course/${course}/homework`],
    ['teacher', teacher, `/course/${course}/homework`],
    ['student', student, `/problem?course=${course}`],
    ['teacher', teacher, `/problem?course=${course}&name=Problem`],
    ['teacher', teacher, `/course/${course}/scoreboard`],
    ['admin', admin, '/user?limit=20'],
    ['admin', admin, '/user?limit=20&search=student1'],
    ['admin', admin, `/user?limit=20&course=${course}`],
    ['admin', admin, '/audit?limit=20'],
    ['admin', admin, `/audit?limit=20&actor=${username}`],
    ['admin', admin, '/audit?limit=20&action=thing.b'],
    ['admin', admin, '/runners'],
    ['student', student, '/auth/sessions'],
    ['student', student, '/auth/tokens'],
  ]
}

/** Rows that each list reads in D1. */
async function rowsRead(
  stack: BenchStack,
  installation: Installation,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const [role, cookie, path] of listsOf(installation))
    found.set(`${role} GET ${path}`, await rowsReadBy(stack, { path: `/api${path}`, cookie }))
  return found
}

/**
 * Each read and handing in against a bare `select 1` on the same stack, both in turn, so that whatever else the
 * machine does slows both alike. The bound is on p95: the median of what the parts of the rounds say.
 */
async function benchTimes(
  stack: BenchStack,
  installation: Installation,
  report: Report,
): Promise<void> {
  const { classmate: cookie, course, ordinaryProblemIds, submissionId } = installation
  const [problemId] = ordinaryProblemIds
  const bare: Call = { path: '/bench/select-1', cookie: '' }
  const read = (path: string) => (): Call => ({ path: `/api${path}`, cookie })
  // To one problem after the other: nobody hands in to the same one five hundred times.
  const hand = (round: number): Call => ({
    path: '/api/submission',
    cookie,
    method: 'POST',
    json: {
      problemId: ordinaryProblemIds.at(round % ordinaryProblemIds.length),
      languageType: 0,
      code: 'int main(){}',
    },
  })
  const calls: [string, (round: number) => Call, number][] = [
    ['GET /problem/{id}', read(`/problem/${problemId}`), MOST.read],
    ['GET /problem', read(`/problem?course=${course}`), MOST.read],
    ['GET /submission', read('/submission?limit=20'), MOST.read],
    ['GET /submission/{id}', read(`/submission/${submissionId}`), MOST.read],
    ['POST /submission', hand, MOST.submit],
  ]
  for (const [name, made, most] of calls) {
    const [base, own]: [number[], number[]] = [[], []]
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const times = [
        await timed(async () => send(stack, bare)),
        await timed(async () => send(stack, made(round))),
      ]
      if (round < 0) continue
      base.push(times[0] ?? 0)
      own.push(times[1] ?? 0)
    }
    const size = ROUNDS / PARTS
    const ratios = (share: number) =>
      Array.from({ length: PARTS }, (_, part) => {
        const [begin, end] = [part * size, (part + 1) * size]
        return percentile(own.slice(begin, end), share) / percentile(base.slice(begin, end), share)
      })
    const ratio = (share: number) => percentile(ratios(share), 0.5)
    const ms = [own, base].map((values) =>
      [0.5, 0.95].map((share) => percentile(values, share).toFixed(2)).join('/'),
    )
    const detail = `p50 ${ratio(0.5).toFixed(2)}×; p50/p95 ${ms[0]} ms, select 1 ${ms[1]} ms`
    report.bound(`${name}: p95 ÷ that of select 1`, ratio(0.95), most, detail)
  }
}

/** A wrong password and an unknown name take the same time. Each call has a name and an address of its own: no limit applies. */
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
      times[kind].push(await timed(async () => send(stack, made, [403])))
    }
  const [wrong, unknown] = [percentile(times.wrong, 0.5), percentile(times.unknown, 0.5)]
  const detail = `medians ${wrong.toFixed(1)} and ${unknown.toFixed(1)} ms of ${SIGN_INS}`
  const ratio = Math.max(wrong, unknown) / Math.min(wrong, unknown)
  report.bound('wrong password ÷ unknown user', ratio, MOST.signIn, detail)
}

/** Answers whether every bound holds. */
export async function benchApi(): Promise<boolean> {
  const report = new Report()
  const stack = await startBenchStack()
  try {
    await benchZip(stack, report)
    const people = await fillPeople(stack)
    const submissionId = await fillSubmissions(stack, 0, SMALL - 1)
    const installation = { ...people, submissionId }
    const small = await rowsRead(stack, installation)
    const seconds = (await timed(async () => fillSubmissions(stack, SMALL, LARGE - 1))) / 1_000
    report.note(`filling up to ${LARGE} submissions`, `${seconds.toFixed(0)} s`)
    const large = await rowsRead(stack, installation)
    for (const [name, rows] of large) {
      const before = small.get(name) ?? 0
      report.bound(
        `rows read: ${name}`,
        rows / Math.max(1, before),
        MOST.rows,
        `${before} → ${rows}`,
      )
    }
    await benchTimes(stack, installation, report)
    await benchSignIn(stack, report)
  } finally {
    await stack.stop()
  }
  return report.holds
}
