/**
 * `npm run bench -- lone`: how soon a student sees the verdict of a lone submission to an idle judge, from the POST to the read after
 * a hint. It compares this time with that of compiling the program and running its cases without a judge.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import { submissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import type { ApiClient } from '../api-client.ts'
import { sumProblem } from '../demo/sum.ts'
import { clientOf, handIn, sumInC, sumInPython, withDemoJudge } from './demo-judge.ts'
import { percentile, timed, type Report } from './report.ts'

const execute = promisify(execFile)

const ROUNDS = 25
/** Pause before each submission, ms. A random part is added, so that submissions are out of step with polling. */
const IDLE_MS = 400
/** After this long without a hint the page reads anyway, ms. */
const LOST_MS = 10_000

/** A program of a language, with another text each time, and the commands that compile and run it without a judge. */
interface Kind {
  name: string
  languageType: number
  source: (mark: string) => string
  file: string
  compile?: readonly string[]
  run: readonly string[]
  /** The bound: the submission's time ÷ that of the bare commands. */
  most: number
}

const KINDS: readonly Kind[] = [
  {
    name: 'C',
    languageType: 0,
    source: sumInC,
    file: 'main.c',
    compile: ['/usr/bin/gcc', '-O2', '-std=gnu17', '-o', 'main', 'main.c', '-lm'],
    run: ['./main'],
    most: 2.5,
  },
  {
    name: 'C++',
    languageType: 1,
    source: (mark) =>
      `#include <bits/stdc++.h>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; } // ${mark}\n`,
    file: 'main.cpp',
    compile: ['/usr/bin/g++', '-O2', '-std=gnu++20', '-o', 'main', 'main.cpp'],
    run: ['./main'],
    most: 0.45,
  },
  {
    name: 'py3',
    languageType: 2,
    source: sumInPython,
    file: 'main.py',
    run: ['/usr/bin/python3', 'main.py'],
    most: 1.8,
  },
]

/** Compiles and runs every case, without any judge. */
async function workBare({ compile, run }: Kind, cwd: string, inputs: readonly string[]) {
  if (compile) await execute(compile[0] ?? '', compile.slice(1), { cwd })
  for (const input of inputs) {
    const [file = '', ...args] = run
    const child = execute(file, args, { cwd })
    child.child.stdin?.end(input)
    await child
  }
}

/** Opens the socket on which a person's page gets its hints. */
async function openHints(api: ApiClient): Promise<WebSocket> {
  const socket = new WebSocket(`${api.url.replace(/^http/, 'ws')}/api/live`, {
    headers: { Cookie: api.cookie ?? '', Origin: api.url },
  })
  await once(socket, 'open')
  return socket
}

/** Submits, then reads after each hint until the verdict is there. */
async function submit(api: ApiClient, hints: WebSocket, kind: Kind, mark: string): Promise<void> {
  const submissionId = await handIn(api, kind.languageType, kind.source(mark))
  const over = new AbortController()
  for (;;) {
    // A hint may be lost, so this loop also reads after a while, as a page does.
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(LOST_MS)])
    const hint = once(hints, 'message', { signal }).catch(() => {})
    const { status } = await api.call('GET', `/submission/${submissionId}`, submissionDetail)
    if (status === STATUS.PENDING) {
      await hint
      continue
    }
    over.abort()
    if (status !== STATUS.AC) throw new Error(`the program got verdict ${status}`)
    return
  }
}

async function benchKind(
  api: ApiClient,
  hints: WebSocket,
  kind: Kind,
  folder: string,
  report: Report,
): Promise<void> {
  const inputs = sumProblem()
    .cases.flat()
    .map(({ input }) => new TextDecoder().decode(input))
  const [judged, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    await delay(IDLE_MS * (1 + Math.random()))
    judged.push(await timed(() => submit(api, hints, kind, `${kind.name} ${round}`)))
    await writeFile(join(folder, kind.file), kind.source(`${kind.name} ${round}`))
    bare.push(await timed(() => workBare(kind, folder, inputs)))
  }
  const what = `${kind.name}: POST → seen ÷ compile and runs, medians`
  const detail = `p95 ${percentile(judged, 0.95).toFixed(0)} ms`
  report.ratio(what, percentile(judged, 0.5), percentile(bare, 0.5), kind.most, detail)
}

export async function benchLone(report: Report): Promise<void> {
  await withDemoJudge({ runners: 1 }, async ({ url, stateDir }) => {
    const api = await clientOf(url, 'student')
    const hints = await openHints(api)
    for (const kind of KINDS) await benchKind(api, hints, kind, stateDir, report)
    hints.close()
  })
}
