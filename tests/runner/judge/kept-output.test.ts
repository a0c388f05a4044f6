/** The outputs that fit into the room for kept outputs of a judgement. */
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KEPT_OUTPUT_BYTES, KEPT_OUTPUT_TOTAL_BYTES } from '#contract/limits'
import { KeptOutputs, readStart } from '../../../runner/judge/kept-output.ts'
import type { RunResult } from '../../../runner/sandbox/box.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-output-'))
})
afterAll(() => rm(folder, { recursive: true }))

const RUN: RunResult = {
  fired: null,
  exitCode: 0,
  signal: null,
  cpuMs: 10,
  wallMs: 12,
  memoryKb: 1_000,
  oomKilled: false,
  outputBytes: 0,
  stderr: new Uint8Array(),
  stderrBytes: 0,
  closedFirst: null,
  stopped: false,
  waitedMs: 0,
}

/** The sizes of a case's streams, in bytes. */
interface Sizes {
  stdout?: number
  expected?: number
  stderr?: number
}

/** The numbers of the kept cases among cases with these sizes. */
async function keptOf(cases: Sizes[]): Promise<number[]> {
  const kept = new KeptOutputs()
  for (const [index, { stdout = 0, expected = 0, stderr = 0 }] of cases.entries()) {
    const paths = [join(folder, 'stdout'), join(folder, 'expected')] as const
    await writeFile(paths[0], Buffer.alloc(stdout))
    await writeFile(paths[1], Buffer.alloc(expected))
    const [output, reference] = [await open(paths[0]), await open(paths[1])]
    const result = { ...RUN, stderr: new Uint8Array(stderr) }
    await kept.keep({ task: 0, case: index }, result, await readStart(output), reference)
    await Promise.all([output.close(), reference.close()])
  }
  return kept.reported.map((each) => each.case)
}

/** As many cases with one full stream as fit. */
const full = (stream: keyof Sizes): Sizes[] =>
  Array.from({ length: KEPT_OUTPUT_TOTAL_BYTES / KEPT_OUTPUT_BYTES }, () => ({
    [stream]: KEPT_OUTPUT_BYTES,
  }))

it.each(['stdout', 'expected', 'stderr'] as const)(
  'each byte of %s takes room, up to the last one',
  async (stream) => {
    const fitting = full(stream)
    const all = fitting.map((_, index) => index)
    expect(await keptOf([...fitting, { stdout: 1 }, { expected: 1 }, { stderr: 1 }])).toEqual(all)
  },
)

it('a case that no longer fits is left out whole, and a smaller one after it is kept', async () => {
  const fitting = full('stdout').slice(1)
  const half = KEPT_OUTPUT_BYTES / 2
  const last = fitting.length
  expect(
    (await keptOf([...fitting, { stdout: half, expected: half + 1 }, { stdout: half }])).slice(
      last,
    ),
  ).toEqual([last + 1])
})
