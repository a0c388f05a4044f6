/** The processes of a local stack: how each ends, together with all its children. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  logTail,
  type ProcessGroup,
  startProcessGroup,
} from '../../scripts/process/process-group.ts'
import { runTool, ToolError } from '../../scripts/process/run-tool.ts'
import { ROOT } from '../../scripts/root.ts'
import { startRunner } from '../../scripts/stack/runner-process.ts'
import { eventually } from '../support/eventually.ts'

let folder = ''
/** The messages that the watcher got. */
let watched: string[] = []
const reaper = {
  add: (group: number) => void watched.push(`add ${group}`),
  remove: (group: number) => void watched.push(`remove ${group}`),
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'processes-'))
  watched = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function start(script: string, command = '/bin/sh'): ProcessGroup {
  const logFile = join(folder, 'logs', 'log')
  const env = { PATH: process.env['PATH'] }
  return startProcessGroup({
    name: 'one',
    command,
    args: ['-c', script],
    cwd: folder,
    env,
    logFile,
    reaper,
  })
}

const logOf = ({ logFile }: ProcessGroup) => readFileSync(logFile, 'utf8')

test.each([
  ['exit 3', 'exit code 3'],
  ['kill -9 $$', 'SIGKILL'],
])('after %j it has ended with %s, and nobody need watch it', async (script, how) => {
  const group = start(`echo first; echo second >&2; echo third; ${script}`)
  expect(group.isRunning()).toBe(true)
  expect(await group.ended).toBe(how)
  expect(group.isRunning()).toBe(false)
  expect(watched).toEqual([`add ${group.pid}`, `remove ${group.pid}`])
  expect(logTail(group, 2)).toBe('second\nthird')
  expect(logTail({ logFile: join(folder, 'none') })).toBe('')
  await group.end(1)
})

test('a command that is not there has ended with the reason', async () => {
  const group = start('', join(folder, 'none'))
  expect(await group.ended).toContain('ENOENT')
  expect({ running: group.isRunning(), watched }).toEqual({ running: false, watched: [] })
  await group.end(1)
})

test('what a leader has started ends with it', async () => {
  const group = start('sleep 600 & echo $!')
  await group.ended
  await eventually(() => expect(existsSync(`/proc/${logOf(group).trim()}`)).toBe(false))
})

test('asked to end it may end in its own way, else it is killed', async () => {
  const polite = start('trap "echo bye; exit 7" TERM; echo ready; while :; do sleep 0.02; done')
  await eventually(() => expect(logOf(polite)).toBe('ready\n'))
  await polite.end(600_000)
  expect(await polite.ended).toBe('exit code 7')
  expect(logOf(polite)).toBe('ready\nbye\n')
  const deaf = start('trap "" TERM; echo deaf; while :; do sleep 0.02; done')
  await eventually(() => expect(logOf(deaf)).toContain('deaf'))
  await deaf.end(50)
  expect(await deaf.ended).toBe('SIGKILL')
})

test('a signal goes to the leader alone', async () => {
  const loop = 'while :; do sleep 0.02; done'
  const child = `sh -c 'trap "echo child" USR1; echo up; ${loop}' &`
  // The leader leaves the child enough time to print that it got the signal, too.
  const group = start(`${child} trap "echo leader; sleep 0.2; exit" USR1; ${loop}`)
  await eventually(() => expect(logOf(group)).toContain('up'))
  group.signal('SIGUSR1')
  await group.ended
  expect(logOf(group)).toBe('up\nleader\n')
})

test('when their starter is killed, groups end, the last one first, but for those that were taken off', async () => {
  const module = (name: string) => JSON.stringify(join(ROOT, 'scripts/process', name))
  const program = `
    import { startReaper } from ${module('reaper.ts')}
    import { startProcessGroup } from ${module('process-group.ts')}
    const reaper = startReaper()
    const cwd = ${JSON.stringify(folder)}
    const groups = ['a', 'b', 'c'].map((name) => startProcessGroup({
      name, command: '/bin/sh', cwd, env: process.env, logFile: cwd + '/' + name, reaper,
      args: ['-c', 'trap "echo ' + name + ' >> order; exit" TERM; echo up; while :; do sleep 0.02; done'],
    }))
    reaper.remove(groups[1].pid)
    console.log(groups[1].pid)
    setInterval(() => {}, 1000)
  `
  const starter = spawn(process.execPath, ['--input-type=module', '-e', program])
  const [said] = (await once(starter.stdout, 'data')) as [Buffer]
  for (const name of ['a', 'b', 'c'])
    await eventually(() => expect(readFileSync(join(folder, name), 'utf8')).toBe('up\n'))
  starter.kill('SIGKILL')
  await eventually(() => expect(readFileSync(join(folder, 'order'), 'utf8')).toBe('c\na\n'))
  const left = Number(said.toString())
  expect(existsSync(`/proc/${left}`)).toBe(true)
  process.kill(-left, 'SIGKILL')
})

test('a tool answers what it wrote, and one that fails is told by its last fifteen lines', async () => {
  const wrote = 'console.log(process.env.WORD, process.cwd()); console.error(2)'
  expect(await runTool('Trying', ['-e', wrote], { env: { WORD: 'word' } })).toBe(
    `word ${ROOT.replace(/\/$/, '')}\n2\n`,
  )
  const fails = 'for (let n = 1; n <= 20; n++) console.log(n); process.exit(4)'
  const error = await runTool('Trying', ['-e', fails]).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ToolError)
  const lines = (from: number) => Array.from({ length: 21 - from }, (_, n) => from + n).join('\n')
  expect(error).toMatchObject({
    message: `Trying failed:\n${lines(6)}`,
    output: `${lines(1)}\n`,
  })
})

test('a runner that does not stay up is started again, ever later, and given up by who waits for it', async () => {
  const lines: string[] = []
  const runner = startRunner({
    name: 'runner-7',
    stateDir: join(folder, 'state'),
    logFile: join(folder, 'runner.log'),
    environment: { SERVER_URL: 'nowhere', RUNNER_REGISTRATION_TOKEN: 'x' },
    reaper,
    log: (line) => lines.push(line),
  })
  const first = runner.pid()
  expect([runner.givenUp(), runner.isReady()]).toEqual([false, false])
  await eventually(() => expect(runner.givenUp()).toBe(true))
  expect(runner.pid()).not.toBe(first)
  expect(runner.logTail()).toContain('SERVER_URL must be an address')
  expect(lines).toEqual(
    ['0.5', '1', '2'].map(
      (pause) => `runner-7 has ended (exit code 1); starting it again in ${pause} s`,
    ),
  )
  await runner.stop(1_000)
  const last = runner.pid()
  await eventually(() => expect(watched.at(-1)).toMatch(/^remove/))
  expect(runner.pid()).toBe(last)
})
