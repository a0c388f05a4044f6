/**
 * `npm run mutants [-- NAME…]`: makes each mutation of `mutations.ts` in a copy of the project and runs tests, which have to
 * fail: first the quick ones of the folder it names, then the long ones. A mutation that lives is a rule without a test.
 */
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MUTATIONS } from './mutations.ts'
import type { Mutation } from './mutations/mutation.ts'
import { PlainError, runCommand } from './plain-error.ts'
import { ROOT } from './root.ts'

const TREE = join(ROOT, 'build/mutants')

/** A mutation that makes tests hang is noticed, too. */
const MOST_MS = 10 * 60_000

function copyProject(): void {
  rmSync(TREE, { recursive: true, force: true })
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(TREE, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(TREE, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(TREE, 'node_modules'))
}

/** Runs tests in the copy; whether they fail. */
function testsFail(mode: 'quick' | 'long', tests: string): Promise<boolean> {
  const project = tests.split('/')[1] ?? ''
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--mode',
      mode,
      '--bail',
      '1',
      '--project',
      project,
      tests,
      '--passWithNoTests',
    ],
    { cwd: TREE, stdio: 'ignore' },
  )
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve(code !== 0)
    })
  })
}

/** @throws PlainError when the code has changed, so that the mutation is none any more */
function mutate({ name, file, from, to }: Mutation): () => void {
  const path = join(TREE, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2)
    throw new PlainError(`${name}: ${file} does not hold this once: ${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  return () => writeFileSync(path, text)
}

async function diesIn(mutation: Mutation): Promise<'quick' | 'long' | null> {
  const undo = mutate(mutation)
  try {
    if (await testsFail('quick', mutation.tests)) return 'quick'
    return (await testsFail('long', mutation.tests)) ? 'long' : null
  } finally {
    undo()
  }
}

async function main(): Promise<number> {
  const names = process.argv.slice(2)
  const chosen = MUTATIONS.filter(({ name }) => names.length === 0 || names.includes(name))
  if (chosen.length === 0) throw new PlainError('There is no mutation of this name.')
  copyProject()
  for (const tests of new Set(chosen.map((mutation) => mutation.tests)))
    if (await testsFail('quick', tests))
      throw new PlainError(`${tests} fails without any mutation.`)
  const [quick, alive]: [string[], string[]] = [[], []]
  for (const mutation of chosen) {
    const died = await diesIn(mutation)
    console.log(`${(died ?? 'LIVES').padEnd(6)} ${mutation.name}`)
    if (died === 'quick') quick.push(mutation.name)
    if (died === null) alive.push(mutation.name)
  }
  const share = Math.round((quick.length / chosen.length) * 100)
  console.log(
    `${chosen.length - alive.length} of ${chosen.length} die, ${share} % of all in quick tests.`,
  )
  return alive.length === 0 ? 0 : 1
}

await runCommand(main)
