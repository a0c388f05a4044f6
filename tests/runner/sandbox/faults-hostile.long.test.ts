/**
 * Every program of `tests/fixtures/hostile` and of the languages' fixtures gets a verdict that its table allows, and
 * nothing around it changes. Each runs once; `npm run test:full` runs each twenty times.
 */
import { closeSync, openSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { LANGUAGES } from '#contract/languages'
import { COMPILE_MESSAGE_BYTES } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { Arena, type Outcome } from '../fixtures/arena.ts'
import { ENDINGS, PROGRAMS } from '../fixtures/languages.ts'
import { USER_MODE_LINUX } from '../fixtures/sandbox.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/hostile')
const isFull = Reflect.get(import.meta, 'env').MODE === 'full'
const REPEATS = isFull && !USER_MODE_LINUX ? 20 : 1

/** One folder of programs. */
const folder = z.strictObject({
  category: z.string(),
  /** The rule that holds besides the verdict. */
  what: z.string(),
  /** Each file with its allowed verdicts, separated by spaces. */
  programs: z.record(z.string(), z.string()),
  /** Only in full runs: slow, and much like another program. */
  onlyInFull: z.array(z.string()).default([]),
  /** Also in everyday runs under user-mode Linux: what differs on cgroup v2. */
  evenInBrief: z.array(z.string()).default([]),
})
type Folder = z.infer<typeof folder> & {
  isOfLanguage: boolean
  sourceOf: (file: string) => Buffer
}

/** The check at the end of a category's title, which its programs test. */
const CHECKS: Readonly<Record<string, string>> = {
  processes: ' [JF2]',
  filling: ' [JF3]',
  network: ' [JF4]',
  reading: ' [JF5]',
  artefacts: ' [JF6]',
  channels: ' [JF7]',
  compilers: ' [JF8]',
  forging: ' [JF9]',
}

const NAMES = new Map<number, string>(Object.entries(STATUS).map(([name, code]) => [code, name]))

/** The folders of the table, after the programs that every language has. */
function allFolders(): Folder[] {
  const ofLanguages = LANGUAGES.map(({ id, fileEndings, label }) => {
    const programs = Object.entries(ENDINGS).map(([name, status]) => [
      `${name}.${fileEndings[0]}`,
      NAMES.get(status) ?? '',
    ])
    const what = 'each verdict; the time is the same every time'
    const data = { category: label, what, programs: Object.fromEntries(programs) }
    const sources = new Map(
      Object.entries(PROGRAMS[id]).map(([name, text]) => [`${name}.${fileEndings[0]}`, text]),
    )
    return {
      ...folder.parse(data),
      isOfLanguage: true,
      sourceOf: (file: string) => Buffer.from(sources.get(file) ?? ''),
    }
  })
  const table = z
    .array(folder)
    .parse(JSON.parse(readFileSync(join(FIXTURES, 'table.json'), 'utf8')))
  const ofTable = table.map((one) => ({
    ...one,
    isOfLanguage: false,
    sourceOf: (file: string) => readFileSync(join(FIXTURES, one.category, file)),
  }))
  return [...ofLanguages, ...ofTable]
}

/** Some containers mount /proc/sys read-only, and only root may write there. */
function idsCanStartAnew(): boolean {
  try {
    closeSync(openSync('/proc/sys/kernel/ns_last_pid', 'r+'))
    return true
  } catch {
    return false
  }
}

/** Whether a program is left out of this run. */
function isLeftOut(file: string, { onlyInFull, evenInBrief }: Folder): boolean {
  if (isFull) return false
  return USER_MODE_LINUX ? !evenInBrief.includes(file) : onlyInFull.includes(file)
}

/** Whether this host has what a program attacks. */
function makesSense(file: string): boolean {
  if (file === 'process-ids.c') return idsCanStartAnew()
  if (file === 'i386-entry.c') return process.arch === 'x64' && !USER_MODE_LINUX
  return !['x32-call.c', 'machine.c'].includes(file) || process.arch === 'x64'
}

let arena: Arena
beforeAll(async () => {
  arena = await Arena.open()
})
afterAll(() => arena.close())

/** Whether times are checked: in full tests, on a machine with nothing else to do. On a busy machine times mean nothing. */
function isQuiet(): boolean {
  return isFull && !USER_MODE_LINUX && (loadavg()[0] ?? 0) <= availableParallelism() + 2
}

/** Whether the machine has been quiet during all of the neighbour's work. */
let wasQuiet = true

/** The message of a Compile Error is clean, whatever the compiler prints; on a quiet machine it comes within 16 s. */
function expectCleanMessage({ judgement, elapsedMs }: Outcome): void {
  const message = judgement.compileMessage ?? ''
  expect(message).not.toBe('')
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(COMPILE_MESSAGE_BYTES)
  expect(message.isWellFormed()).toBe(true)
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  expect(message).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  expect(message).not.toMatch(/\/(?:home|root|var|build|proc\/\d)\//)
  expect(message).not.toContain(process.cwd())
  if (isQuiet()) expect(elapsedMs).toBeLessThan(16_000)
}

/**
 * On a quiet machine a run ends soon after its limits, for the sandbox and for the waiting runner. On a busy machine
 * no bound holds: 24 processes at their memory limit took 10 s to die on a quarter of a core.
 */
function expectInTime({ runs }: Outcome): void {
  const quiet = isQuiet()
  for (const { result, limits, waitedMs } of runs) {
    expect(result.memoryKb).toBeLessThanOrEqual(limits.memoryKb)
    if (!quiet) continue
    expect(waitedMs).toBeLessThanOrEqual(limits.wallMs + 200)
    if (result.fired === 'cpu') expect(result.cpuMs).toBeLessThanOrEqual(limits.cpuMs + 50)
  }
}

const firstTimes = new Map<string, number>()

/** On a quiet machine a program takes the same time in every run, within 10 % or 20 ms. */
function expectSameTime(file: string, { judgement: { runTime } }: Outcome): void {
  if (!isQuiet()) return
  const first = firstTimes.get(file) ?? runTime ?? 0
  firstTimes.set(file, first)
  expect(Math.abs((runTime ?? 0) - first)).toBeLessThanOrEqual(Math.max(20, first * 0.1))
}

for (const one of allFolders()) {
  const { category, what, programs, isOfLanguage, sourceOf } = one
  const check = isOfLanguage ? ' [JF1]' : (CHECKS[category] ?? '')
  describe(`hostile ${category}: ${what}${check}`, () => {
    for (const [file, allowed] of Object.entries(programs))
      test.skipIf(!makesSense(file) || isLeftOut(file, one))(
        `${file}: ${allowed.replaceAll(' ', ' or ')}`,
        { repeats: REPEATS - 1 },
        async () => {
          const source = sourceOf(file)
          wasQuiet &&= isQuiet()
          const before = await arena.hostState()
          const outcome = await arena.judge(file, source, allowed.includes('TLE'))
          const { status } = outcome.judgement
          expect(allowed.split(' '), outcome.visible.slice(0, 500)).toContain(NAMES.get(status))
          expect(outcome.visible).not.toContain(arena.secret)
          if (isFull) expect(outcome.handBacks).toBe(0)
          if (status === STATUS.CE) expectCleanMessage(outcome)
          if (!USER_MODE_LINUX) expectInTime(outcome)
          if (isOfLanguage) expectSameTime(file, outcome)
          expect(outcome.leftProcesses).toEqual([])
          expect(await arena.hostState()).toEqual(before)
        },
      )
  })
}

test('the honest neighbour on the other slot got its answer right all the while, in its own time', async () => {
  await arena.stopNeighbour()
  const { text, ratio } = arena.neighbourReport()
  if (!USER_MODE_LINUX) console.log(text)
  expect(arena.neighbourMs.beside.length).toBeGreaterThan(0)
  if (wasQuiet) expect(ratio).toBeLessThan(1.05)
})
