/**
 * `npm run bench -- join`: the first hour of a course. Three hundred people with accounts join by one code; then three hundred make
 * an account by it. All come from one address, most of them in the first minute, and somebody reads pages meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { joinCode } from '#contract/joining'
import { okEnvelope } from '#contract/errors'
import { fillPeople, STUDENT_IDS } from './installation.ts'
import { percentile, timed, type Report } from './report.ts'
import { MAILING, send, withBenchStack, type BenchStack, type Call } from './stack.ts'

const PEOPLE = 300
/** The mean time at which somebody arrives: 86 of 100 come in the first minute, the last one after three. */
const MEAN_ARRIVAL_MS = 30_000
const LOOKS = 200
const LOOK_PAUSE_MS = 50
const COURSE = 'Course 1'
/** The network of the lecture hall. Whoever reads pages is elsewhere, because a person's own calls are counted apart. */
const HALL = { 'CF-Connecting-IP': '192.0.2.1' }

/** Bounds: a join ÷ a bare `select 1`, pages beside the rush ÷ idle, and the seconds until everybody is in. */
const MOST = { join: 4, pages: 3, seconds: 300 } as const

type Post = Pick<Call, 'path' | 'cookie'> & { json: unknown }

/** A POST from the lecture hall, again after each 429 when it says, as a browser does. @returns how long the last try took, ms */
async function post(stack: BenchStack, made: Post): Promise<number> {
  for (;;) {
    const begin = performance.now()
    const answer = await send(stack, { ...made, method: 'POST', headers: HALL }, [200, 429])
    if (answer.status === 200) return performance.now() - begin
    await delay(1_000 * Number(answer.headers.get('Retry-After')) * (1 + Math.random() / 2))
  }
}

/** How many people have arrived and are not in yet. */
let waiting = 0

/** Everybody arrives and joins. @returns the seconds until the last one is in */
async function rush(join: (index: number) => Promise<void>): Promise<number> {
  const begin = performance.now()
  const arrive = async (index: number) => {
    await delay(-MEAN_ARRIVAL_MS * Math.log(1 - (index + 0.5) / PEOPLE))
    waiting += 1
    await join(index)
    waiting -= 1
  }
  await Promise.all(Array.from({ length: PEOPLE }, (_, index) => arrive(index)))
  return (performance.now() - begin) / 1_000
}

/** Reads pages of the course, one after the other, until `isOver`; returns the time of each that counts, ms. */
async function readPages(
  stack: BenchStack,
  cookie: string,
  isOver: (looks: number) => boolean,
  counts = () => true,
): Promise<number[]> {
  const times: number[] = []
  for (let looks = 0; !isOver(looks); looks += 1) {
    const pages = [`/course/${COURSE}`, `/problem?course=${COURSE}`, `/ann?course=${COURSE}`]
    const path = `/api${pages[looks % pages.length]}`
    const begun = counts()
    const ms = await timed(() => send(stack, { path, cookie }))
    if (begun) times.push(ms)
    await delay(LOOK_PAUSE_MS)
  }
  return times
}

/** Everybody joins while somebody reads pages; only pages while somebody waits to be let in count. */
async function rushBesidePages(
  stack: BenchStack,
  reader: string,
  join: (index: number) => Promise<void>,
) {
  let isOver = false
  const reading = readPages(
    stack,
    reader,
    () => isOver,
    () => waiting > 0,
  )
  const seconds = await rush(join)
  isOver = true
  return { seconds, pages: await reading }
}

/** Everybody who came by the code is in the course once, and the code has counted each. */
async function reportPlaces({ db }: BenchStack, most: number, report: Report): Promise<void> {
  const counts = await db
    .prepare(
      `select (select joined from join_codes) as joined, count(*) as members, count(distinct user_id) as people
        from memberships where join_code_id is not null`,
    )
    .first<{ joined: number; members: number; people: number }>()
  for (const [what, count] of Object.entries(counts ?? { nobody: 0 })) {
    report.least(`${what} by the code`, count, most)
    report.bound(`${what} by the code`, count, most)
  }
}

/** People with accounts join. Just before, each makes a bare call, so that other work of the machine slows both alike. */
async function benchMembers(
  stack: BenchStack,
  { code, reader, cookies }: { code: string; reader: string; cookies: readonly string[] },
  report: Report,
): Promise<number[]> {
  const idle = await readPages(stack, reader, (looks) => looks === LOOKS)
  const [bare, joins]: [number[], number[]] = [[], []]
  const { seconds, pages } = await rushBesidePages(stack, reader, async (index) => {
    const cookie = cookies[index] ?? ''
    await post(stack, { path: '/api/join/look', cookie, json: { code } })
    bare.push(await timed(() => send(stack, { path: '/bench/select-1', cookie })))
    joins.push(await post(stack, { path: '/api/join', cookie, json: { code } }))
  })
  const p95 = (times: readonly number[]) => percentile(times, 0.95)
  const detail = `p50 ${(percentile(joins, 0.5) / percentile(bare, 0.5)).toFixed(2)}×`
  report.ratio('POST /join: p95 ÷ that of select 1', p95(joins), p95(bare), MOST.join, detail)
  report.ratio(`pages beside ${PEOPLE} joins ÷ idle, p95`, p95(pages), p95(idle), MOST.pages)
  report.bound(`seconds until ${PEOPLE} people with accounts are in`, seconds, MOST.seconds)
  return idle
}

/** People make accounts by the code; each hashes a password. */
async function benchAccounts(
  stack: BenchStack,
  { code, reader, idle }: { code: string; reader: string; idle: readonly number[] },
  report: Report,
): Promise<void> {
  const times: number[] = []
  const cpuMs = stack.cpuMs()
  const { seconds, pages } = await rushBesidePages(stack, reader, async (index) => {
    const name = `newcomer${index}`
    await post(stack, { path: '/api/join/look', cookie: '', json: { code } })
    const account = {
      code,
      username: name,
      email: `${name}@x.test`,
      password: `tulip ${index} harbour quartz`,
    }
    times.push(
      await timed(() => post(stack, { path: '/api/join/account', cookie: '', json: account })),
    )
  })
  const [beside, alone] = [percentile(pages, 0.95), percentile(idle, 0.95)]
  report.ratio(`pages beside ${PEOPLE} new accounts ÷ idle, p95`, beside, alone, MOST.pages)
  report.bound(`seconds until ${PEOPLE} new accounts are in`, seconds, MOST.seconds)
  const spent = ((stack.cpuMs() - cpuMs) / 1_000).toFixed(0)
  report.note('CPU time of all this, with the database and the pages', `${spent} s`)
  const [half, longest] = [percentile(times, 0.5), Math.max(...times)].map((ms) => ms / 1_000)
  report.note(
    'a new account, until it is in',
    `p50 ${half?.toFixed(1)}, longest ${longest?.toFixed(1)} s`,
  )
}

export async function benchJoin(report: Report): Promise<void> {
  await withBenchStack(
    async (stack) => {
      const { beginSession, teacher, student: reader } = await fillPeople(stack)
      const path = `/api/course/${COURSE}/join-codes`
      const json = { most: 2 * PEOPLE }
      const made = await send(stack, { path, method: 'POST', cookie: teacher, json })
      const code = okEnvelope(joinCode).parse(await made.json()).data.code ?? ''
      // Every fiftieth student is in the course.
      const others = STUDENT_IDS.filter((_, index) => index % 50 !== 0).slice(0, PEOPLE)
      const cookies: string[] = []
      for (const id of others) cookies.push(await beginSession(id))
      const idle = await benchMembers(stack, { code, reader, cookies }, report)
      await reportPlaces(stack, PEOPLE, report)
      await benchAccounts(stack, { code, reader, idle }, report)
      await reportPlaces(stack, 2 * PEOPLE, report)
    },
    true,
    MAILING,
  )
}
