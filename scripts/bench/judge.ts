/**
 * `npm run bench -- judge`: what a run costs compared with a bare program and with other sandboxes, how exact
 * time and memory are, how soon a limit ends a program. All contenders run in each round, so that other work of
 * the machine slows all of them alike. The reported costs are those of the quietest round.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openUnnamedFile } from '../../runner/lib/unnamed-file.ts'
import { converse } from '../../runner/sandbox/converse.ts'
import { coreOfSlot } from '../../runner/sandbox/cores.ts'
import { ROOT } from '../root.ts'
import { findPeers, type Contender } from './judge/peers.ts'
import { LIMITS, TRIVIAL, Workshop } from './judge/workshop.ts'
import { percentile, timed, type Report } from './report.ts'

const execute = promisify(execFile)

const ROUNDS = 7
const RUNS = 100
const WARM_UP = 20
const SLOT = 0
const CASES = 1_000
const BURN_MS = 300
const TOUCHED_MB = 200
const TRIES = 20
const EXCHANGE_ROUNDS = 5

/** The targets of the judge's design. */
const MOST = {
  medianMs: 1.5,
  p95Ms: 3,
  ratioToBare: 1.5,
  boxMs: 5,
  casesMs: 1_500,
  cpuErrorMs: Math.max(3, BURN_MS * 0.02),
  memoryErrorMb: 1 + TOUCHED_MB * 0.005,
  killCpuMs: 50,
  killWallMs: 100,
  cppRatio: 0.5,
  /** Covers twice the process switches of bare pipes, a poll for each direction, and writing what is kept. */
  exchangeRatio: 3.5,
  slotMb: 10,
} as const

const PROGRAMS = join(ROOT, 'tests/runner/fixtures/programs')

/** Runs the contenders in turn; returns the times of each in every round. */
async function measureRounds(contenders: readonly Contender[]): Promise<Map<string, number[][]>> {
  const rounds = new Map<string, number[][]>(contenders.map(({ name }) => [name, []]))
  for (const contender of contenders) await contender.measure(WARM_UP)
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, measure } of contenders) rounds.get(name)?.push(await measure(RUNS))
  return rounds
}

function line(times: readonly number[]): string {
  return [0.5, 0.95].map((share) => percentile(times, share).toFixed(2)).join('/')
}

/** Measures one trivial case, from Node and back, next to other ways to run it. */
async function benchOverhead(shop: Workshop, report: Report): Promise<void> {
  const program = await shop.program('trivial', TRIVIAL)
  const source = await readFile(join(import.meta.dirname, 'judge/vfork-exec.c'), 'utf8')
  const bare = await shop.program('vfork-exec', source)
  const box = await shop.boxWith(TRIVIAL)
  const { contenders, absent } = await findPeers(bare, program, coreOfSlot(SLOT))
  contenders.push({
    name: 'a case in the sandbox',
    async measure(runs) {
      const times: number[] = []
      for (let n = 0; n < runs; n++) times.push((await shop.run(box)).waitedMs)
      return times
    },
  })
  const rounds = await measureRounds(contenders)
  await box.close()
  const bareRounds = rounds.get('bare vfork+exec') ?? []
  const p95s = (rounds.get('a case in the sandbox') ?? []).map((times) => percentile(times, 0.95))
  const quiet = p95s.indexOf(Math.min(...p95s))
  const bareMs = percentile(bareRounds[quiet] ?? [], 0.5)
  for (const [name, all] of rounds) {
    const times = all[quiet] ?? []
    const medians = all.map((round) => percentile(round, 0.5))
    const range = `${Math.min(...medians).toFixed(2)}–${Math.max(...medians).toFixed(2)}`
    const ratio = (percentile(times, 0.5) / bareMs).toFixed(2)
    report.note(name, `p50/p95 ${line(times)} ms = ${ratio}× bare; medians of rounds ${range} ms`)
  }
  for (const name of absent) report.note(name, 'not on this machine')
  const own = rounds.get('a case in the sandbox')?.[quiet] ?? []
  report.bound('a trivial case: median, ms', percentile(own, 0.5), MOST.medianMs)
  report.bound('a trivial case: p95, ms', percentile(own, 0.95), MOST.p95Ms)
  report.bound('a trivial case ÷ bare', percentile(own, 0.5) / bareMs, MOST.ratioToBare)
}

/** Measures what a submission costs before its first case, and a whole submission with many cases. */
async function benchSubmission(shop: Workshop, report: Report): Promise<void> {
  const opened: number[] = []
  for (let n = 0; n < RUNS; n++) {
    const begin = performance.now()
    const box = await shop.slot.openBox()
    opened.push(performance.now() - begin)
    await box.close()
  }
  const detail = `p50/p95 ${line(opened)} ms`
  report.bound('setting a box up: median, ms', percentile(opened, 0.5), MOST.boxMs, detail)
  const totals: number[] = []
  for (let n = 0; n < 5; n++) {
    const one = await timed(() => shop.judge('c', TRIVIAL, 1, ''))
    totals.push((await timed(() => shop.judge('c', TRIVIAL, CASES, ''))) - one)
  }
  const least = Math.min(...totals)
  const median = `median ${percentile(totals, 0.5).toFixed(0)} ms`
  report.bound(`${CASES} trivial cases, compared, ms`, least, MOST.casesMs, median)
}

/** Measures a question and answer between submission and interactor, next to the same two programs on bare pipes. */
async function benchRoundTrips(shop: Workshop, report: Report): Promise<void> {
  const source = await readFile(join(import.meta.dirname, 'judge/round-trips.c'), 'utf8')
  const program = await shop.program('round-trips', source)
  const boxes = [await shop.boxWith(source), await shop.boxWith(source, true)] as const
  const files = [await openUnnamedFile(shop.folder), await openUnnamedFile(shop.folder)] as const
  const side = (n: 0 | 1, part: string) => {
    const request = { argv: ['/box/main', part], output: files[n], limits: LIMITS }
    return { box: boxes[n], request }
  }
  const [bare, own]: [number[], number[]] = [[], []]
  for (let round = 0; round < EXCHANGE_ROUNDS; round++) {
    const { stderr } = await execute(program, ['bare', String(coreOfSlot(SLOT))])
    bare.push(Number(stderr))
    await Promise.all(files.map((file) => file.truncate()))
    const [asked] = await converse(side(0, 'ask'), side(1, 'answer'), shop.folder)
    own.push(Number(Buffer.from(asked.stderr).toString()))
  }
  await Promise.all([...boxes, ...files].map((open) => open.close()))
  const [pipes, relayed] = [Math.min(...bare), Math.min(...own)]
  const detail = `${relayed.toFixed(1)} ÷ ${pipes.toFixed(1)} µs`
  report.bound(
    'a question and its answer ÷ over bare pipes',
    relayed / pipes,
    MOST.exchangeRatio,
    detail,
  )
}

/** Compares the measured time and memory with the kernel's own account. Other work can only increase them, so the least error counts. */
async function benchAccuracy(shop: Workshop, report: Report): Promise<void> {
  const burn = await shop.boxWith(await readFile(join(PROGRAMS, 'burn.c'), 'utf8'))
  for (const way of ['user', 'calls', 'threads', 'children']) {
    const errors: number[] = []
    for (let n = 0; n < TRIES; n++) {
      const { cpuMs, text } = await shop.run(burn, {}, way)
      errors.push(Math.abs(cpuMs - Number(text) / 1000))
    }
    const detail = `median ${percentile(errors, 0.5).toFixed(1)}, p95 ${percentile(errors, 0.95).toFixed(1)} ms`
    const what = `CPU time of ${BURN_MS} ms in ${way}: error, ms`
    report.bound(what, Math.min(...errors), MOST.cpuErrorMs, detail)
  }
  await burn.close()
  const touch = await shop.boxWith(await readFile(join(PROGRAMS, 'touch-200-mb.c'), 'utf8'))
  const errors: number[] = []
  for (let n = 0; n < TRIES; n++) errors.push((await shop.run(touch)).memoryKb / 1024 - TOUCHED_MB)
  await touch.close()
  const detail = `median ${percentile(errors, 0.5).toFixed(2)} MB`
  const most = errors.reduce((left, right) => Math.max(left, Math.abs(right)), 0)
  report.bound(`memory of ${TOUCHED_MB} MB touched: error, MB`, most, MOST.memoryErrorMb, detail)
}

/** Measures how far programs get beyond their limits. */
async function benchKills(shop: Workshop, report: Report): Promise<void> {
  const limit = 100
  for (const [kind, file, most] of [
    ['CPU', 'spin.c', MOST.killCpuMs],
    ['wall', 'sleep.c', MOST.killWallMs],
  ] as const) {
    const box = await shop.boxWith(await readFile(join(PROGRAMS, file), 'utf8'))
    const beyond: number[] = []
    for (let n = 0; n < TRIES; n++) {
      const limits = kind === 'CPU' ? { cpuMs: limit } : { wallMs: limit }
      const result = await shop.run(box, limits)
      beyond.push((kind === 'CPU' ? result.cpuMs : result.waitedMs) - limit)
    }
    await box.close()
    const detail = `median ${percentile(beyond, 0.5).toFixed(1)} ms`
    report.bound(`${kind} time beyond the limit: p95, ms`, percentile(beyond, 0.95), most, detail)
  }
}

/** Measures the most common kind of C++ submission against compiler and program without a judge. */
async function benchCpp(shop: Workshop, report: Report): Promise<void> {
  const source = '#include <bits/stdc++.h>\nint main() { std::cout << 3 << std::endl; }\n'
  const [path, program] = [join(shop.folder, 'plain.cpp'), join(shop.folder, 'plain')]
  await writeFile(path, source)
  const [judged, plain]: [number[], number[]] = [[], []]
  for (let n = 0; n < 7; n++) {
    judged.push(
      await timed(async () => {
        const { status } = await shop.judge('cpp', source, 1, '3\n')
        if (status !== 0) throw new Error(`the C++ program got verdict ${status}`)
      }),
    )
    plain.push(
      await timed(async () => {
        await execute('/usr/bin/g++', ['-O2', '-std=gnu++20', '-o', program, path])
        await execute(program)
      }),
    )
  }
  const what = 'C++ with bits/stdc++.h ÷ plain g++ -O2 and run'
  report.ratio(what, percentile(judged, 0.5), percentile(plain, 0.5), MOST.cppRatio)
}

/** Measures the memory of the slot's own processes while a box is open, with their share of shared memory (proc(5), Pss). */
async function benchMemory(shop: Workshop, report: Report): Promise<void> {
  const box = await shop.boxWith(TRIVIAL)
  await shop.run(box)
  const { stdout } = await execute('/usr/bin/ps', ['-eo', 'pid=,ppid='])
  const parents = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const below = new Set([process.pid])
  // Parents have smaller ids than their children unless ids wrapped around, so three passes are enough for two levels.
  for (let look = 0; look < 3; look++)
    for (const [pid = 0, parent = 0] of parents) if (below.has(parent)) below.add(pid)
  below.delete(process.pid)
  let kb = 0
  for (const pid of below) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    kb += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
  }
  await box.close()
  report.bound('memory of a slot with an open box, MB', kb / 1024, MOST.slotMb)
}

export async function benchJudge(report: Report): Promise<void> {
  const shop = await Workshop.open(SLOT)
  try {
    await benchOverhead(shop, report)
    await benchSubmission(shop, report)
    await benchRoundTrips(shop, report)
    await benchAccuracy(shop, report)
    await benchKills(shop, report)
    await benchCpp(shop, report)
    await benchMemory(shop, report)
  } finally {
    await shop.close()
  }
}
