/** What an exchange between a submission and an interactor costs, next to the same two programs on bare pipes. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { coreOfSlot } from '../../../runner/sandbox/cores.ts'
import { converse } from '../../../runner/sandbox/converse.ts'
import { openUnnamedFile } from '../../../runner/lib/unnamed-file.ts'
import type { Report } from '../report.ts'
import { LIMITS, type Workshop } from './workshop.ts'

const execute = promisify(execFile)

const ROUNDS = 5
/** Twice the changes of process that bare pipes need, a poll for both ways, and what is kept. */
const MOST_RATIO = 3.5

/** @param slot whose core the bare ones run on */
export async function benchRoundTrips(shop: Workshop, report: Report, slot: number): Promise<void> {
  const source = await readFile(join(import.meta.dirname, 'round-trips.c'), 'utf8')
  const program = await shop.program('round-trips', source)
  const boxes = [await shop.boxWith(source), await shop.boxWith(source, true)] as const
  const files = [await openUnnamedFile(shop.folder), await openUnnamedFile(shop.folder)] as const
  const side = (n: 0 | 1, part: string) => {
    const request = { argv: ['/box/main', part], output: files[n], limits: LIMITS }
    return { box: boxes[n], request }
  }
  const [bare, own]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const { stderr } = await execute(program, ['bare', String(coreOfSlot(slot))])
    bare.push(Number(stderr))
    await Promise.all(files.map((file) => file.truncate()))
    const [asked] = await converse(side(0, 'ask'), side(1, 'answer'), shop.folder)
    own.push(Number(Buffer.from(asked.stderr).toString()))
  }
  await Promise.all([...boxes, ...files].map((open) => open.close()))
  const [pipes, relayed] = [Math.min(...bare), Math.min(...own)]
  const detail = `${relayed.toFixed(1)} ÷ ${pipes.toFixed(1)} µs`
  report.bound('a question and its answer ÷ over bare pipes', relayed / pipes, MOST_RATIO, detail)
}
