/**
 * `npm run bench -- lone`: how soon somebody sees the verdict of a lone submission to an idle judge, from the POST to the read that a
 * hint brings about, next to compiling the program and running its cases bare.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { createApiClient, type ApiClient } from '../api-client.ts'
import { DEMO_PASSWORD } from '../demo/accounts.ts'
import { sumProblem } from '../demo/sum.ts'
import { freePort } from '../stack/ports.ts'
import { seedDemo } from '../stack/seed-demo.ts'
import { startStack } from '../stack/stack.ts'
import { percentile, Report, timed } from './report.ts'

const execute = promisify(execFile)

const ROUNDS = 25
/** Pause before each submission, ms, and a random part of it more: out of step with whatever polls. */
const IDLE_MS = 400
/** After so long without a hint the page reads all the same, ms. */
const LOST_MS = 10_000
/** The first demo problem. */
const PROBLEM = 1

/** A program of a language, another one each time, and the commands that do its work bare. */
interface Kind {
  name: string
  languageType: number
  source: (mark: string) => string
  file: string
  compile?: readonly string[]
  run: readonly string[]
  /** The bound of the submission's time in that of the bare commands. */
  most: number
}

const KINDS: readonly Kind[] = [
  {
    name: 'C',
    languageType: 0,
    source: (mark) =>
      `#include <stdio.h>\nint main(void) { long long a, b; scanf("%lld %lld", &a, &b); printf("%lld\\n", a + b); } // ${mark}\n`,
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
    source: (mark) => `a, b = map(int, input().split())\nprint(a + b)  # ${mark}\n`,
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

/** The hints of a person, as a page of theirs gets them. */
async function openHints(api: ApiClient): Promise<WebSocket> {
  const socket = new WebSocket(`${api.url.replace(/^http/, 'ws')}/api/live`, {
    headers: { Cookie: api.cookie ?? '', Origin: api.url },
  })
  await once(socket, 'open')
  return socket
}

/** Hands in; ends when the verdict has been read, which each hint brings about. */
async function submit(api: ApiClient, hints: WebSocket, kind: Kind, mark: string): Promise<void> {
  let isHint = false
  let wake = () => {}
  const listen = () => {
    isHint = true
    wake()
  }
  hints.on('message', listen)
  const json = { problemId: PROBLEM, languageType: kind.languageType, code: kind.source(mark) }
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, { json })
  for (;;) {
    const { status } = await api.call('GET', `/submission/${submissionId}`, submissionDetail)
    if (status !== STATUS.PENDING) {
      hints.off('message', listen)
      if (status !== STATUS.AC) throw new Error(`the program got verdict ${status}`)
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    // A hint may be lost, as for a page.
    if (!isHint) await Promise.race([promise, delay(LOST_MS)])
    isHint = false
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
  const [own, base] = [percentile(judged, 0.5), percentile(bare, 0.5)]
  const detail = `${own.toFixed(0)} ÷ ${base.toFixed(0)} ms, p95 ${percentile(judged, 0.95).toFixed(0)} ms`
  report.bound(
    `${kind.name}: POST → seen ÷ compile and runs, medians`,
    own / base,
    kind.most,
    detail,
  )
}

/** Runs it against a stack of its own; answers whether all bounds hold. */
export async function benchLone(): Promise<boolean> {
  const report = new Report()
  const stateDir = mkdtempSync(join(tmpdir(), 'bench-lone-'))
  const variables = { SUBMIT_LIMIT_PER_MINUTE: '0' }
  const stack = await startStack({ port: await freePort(), stateDir, runners: 1, variables })
  try {
    await seedDemo(stack.url)
    await stack.untilHealthy()
    const api = createApiClient(stack.url)
    await api.login('student', DEMO_PASSWORD)
    const hints = await openHints(api)
    for (const kind of KINDS) await benchKind(api, hints, kind, stateDir, report)
    hints.close()
  } finally {
    await stack.stop()
    rmSync(stateDir, { recursive: true, force: true })
  }
  return report.holds
}
