/** A newcomer follows docs/deploying.md: a shell runs its commands in order, as written, in a copy of this code. */
import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from '../../scripts/deploy/settings-file.ts'
import { ROOT } from '../../scripts/root.ts'
import { emptyAccount } from './account.ts'
import { SETTINGS, useCloudflare } from './try.ts'

const { standIn } = await useCloudflare()
const folder = mkdtempSync(join(tmpdir(), 'guide-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The parts of a clone that a deploy reads. */
const PARTS = [
  'deploy.env.example',
  'docs',
  'migrations',
  'package.json',
  'runner',
  'scripts',
  'tsconfig.base.json',
  'vite.config.ts',
  'package-lock.json',
  'web',
  'worker',
  'wrangler.toml',
]

const NOT_RUN = new Set([
  // These commands need the network. Continuous integration begins with `npm ci` in a fresh clone.
  'npm ci',
  'git pull',
  // The browser test of two hosts makes this build.
  'VITE_API_BASE=https://api.example.org/api npm run build -- --outDir ../dist/page',
])

/** The answers to type at each question. */
const ANSWERS: [question: string, answer: string][] = [
  ['OK to proceed', 'y'],
  ['Type coursejudge to delete', 'coursejudge\n'],
]

/** Makes a clone as it is after `npm ci`, with a web app of one page in place of the build. */
function makeClone(): void {
  for (const part of PARTS)
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'dist/web'), { recursive: true })
  writeFileSync(join(folder, 'dist/web/index.html'), '<h1>Judge</h1>')
}

/** The commands of the page's shell blocks, without comments. */
function listCommands(): string[] {
  const page = readFileSync(join(ROOT, 'docs/deploying.md'), 'utf8')
  return [...page.matchAll(/```sh\n(.*?)```/gs)]
    .flatMap(([, block = '']) => block.split('\n'))
    .flatMap((line) => line.replace(/ # .*/, '').split(' && '))
    .map((command) => command.trim())
    .filter(Boolean)
}

/** An operator's environment: without the variables of the npm that runs the tests. */
function environmentOf(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_|^CLOUDFLARE_API_TOKEN$/.test(name),
  )
  const own = { HOME: folder, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' }
  return { ...Object.fromEntries(inherited), ...own }
}

/** Runs a command at a terminal; answers its output. */
function runAtTerminal(command: string, signal: AbortSignal) {
  const args = ['--quiet', '--return', '--command', command, '/dev/null']
  const child = spawn('script', args, { cwd: folder, env: environmentOf(), signal })
  const answers = new Map(ANSWERS)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    for (const [question, answer] of answers) {
      if (!text.includes(question)) continue
      // A terminal repeats a question together with its answer.
      answers.delete(question)
      child.stdin.write(answer)
    }
  })
  return new Promise<{ code: number | null; text: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, text }))
  })
}

/** Fills in a copy of the example as the page says: token and first admin. */
function fillIn(file: string): void {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n')
  const filled = lines.map(
    (line) => `${line}${SETTINGS[line.slice(0, -1) as keyof typeof SETTINGS] ?? ''}`,
  )
  writeFileSync(join(folder, file), filled.join('\n'))
}

test('each command works as written, and the last ones leave nothing', async ({ signal }) => {
  makeClone()
  const workers = new Set<string>()
  const deploys: string[] = []
  for (const command of listCommands()) {
    if (NOT_RUN.has(command)) continue
    const { code, text } = await runAtTerminal(command, signal)
    expect(code, `${command}\n${text}`).toBe(0)
    const [, copy] = /^cp deploy\.env\.example (\S+)$/.exec(command) ?? []
    if (copy) fillIn(copy)
    if (command === 'npm run deploy') deploys.push(text)
    for (const name of standIn.account.workers.keys()) workers.add(name)
  }
  expect([...workers]).toEqual(['coursejudge', 'coursejudge-staging'])
  expect(standIn.account).toEqual(emptyAccount())
  // The first deploy writes the secret into the file and says so; no later log names it.
  const [first = '', ...later] = deploys
  expect(first).toContain('keep a copy of that file where you keep passwords')
  expect(later.length).toBeGreaterThan(0)
  const { RUNNER_REGISTRATION_TOKEN: secret = '?' } = readSettings(
    join(folder, 'deploy.env'),
    'deploy.env',
  )
  expect(secret).toHaveLength(32)
  expect(later.join('\n')).not.toContain(secret)
})
