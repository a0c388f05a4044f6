/** Whole submissions on one slot next to the same ones in isolate, from source to verdict, in turn. */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LanguageId } from '#contract/languages'
import { STATUS } from '#contract/verdicts'
import { percentile, type Report, timed } from '../report.ts'
import { whereIs } from './peers.ts'
import type { Workshop } from './workshop.ts'

const execute = promisify(execFile)

const ROUNDS = 9
const CASES = 10
/** How many times a slot's time isolate takes, at least. */
const LEAST = 1.4

const SOURCES: readonly [LanguageId, string][] = [
  ['c', '#include <stdio.h>\nint main(void) { puts("3"); }\n'],
  ['cpp', '#include <iostream>\nint main() { std::cout << 3 << "\\n"; }\n'],
  ['py3', 'print(3)\n'],
]

/** Boxes of isolate for each case, or one for all. */
const BOXES = ['fresh', 'kept'] as const

/** Judges a program that prints 3, with the slot and in both ways with isolate. */
async function benchLanguage(
  shop: Workshop,
  report: Report,
  folder: string,
  [language, source]: (typeof SOURCES)[number],
): Promise<void> {
  await writeFile(join(folder, `source.${language}`), source)
  const script = join(import.meta.dirname, 'isolate-pipeline.sh')
  const own: number[] = []
  const others = { fresh: [] as number[], kept: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(
      await timed(async () => {
        const { status } = await shop.judge(language, source, CASES, '3\n')
        if (status !== STATUS.AC) throw new Error(`${language}: the verdict is ${status}`)
      }),
    )
    for (const boxes of BOXES)
      others[boxes].push(
        await timed(async () => {
          const values = [script, language, folder, String(CASES), boxes]
          const { stdout } = await execute('/bin/sh', values)
          if (Number(stdout) !== CASES) throw new Error(`${language}: isolate accepted ${stdout}`)
        }),
      )
  }
  const median = percentile(own, 0.5)
  for (const boxes of BOXES) {
    const other = percentile(others[boxes], 0.5)
    const what = `${language}, ${CASES} cases, ${boxes} boxes: isolate ÷ one slot`
    report.least(what, other / median, LEAST, `${other.toFixed(0)} ÷ ${median.toFixed(0)} ms`)
  }
}

/** Needs an isolate that works on this machine's cgroup version: 1.10 or 2. */
export async function benchIsolate(shop: Workshop, report: Report): Promise<void> {
  if ((await whereIs('isolate')) === null) {
    report.note('whole submissions in isolate', 'not on this machine')
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'bench-isolate-'))
  try {
    // The program inside has another id.
    await chmod(folder, 0o755)
    await writeFile(join(folder, 'input'), '')
    await writeFile(join(folder, 'expected'), '3\n')
    for (const program of SOURCES) await benchLanguage(shop, report, folder, program)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
