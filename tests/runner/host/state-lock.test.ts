import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockStateDir } from '../../../runner/host/state-lock.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lock-test-'))
})
afterEach(() => rm(root, { recursive: true }))

const MODULE = JSON.stringify(join(import.meta.dirname, '../../../runner/host/state-lock.ts'))

/** Another process that takes the lock, collects garbage, and stays. */
async function holder() {
  const program = `
    import { lockStateDir } from ${MODULE}
    const taken = await lockStateDir(${JSON.stringify(root)})
    gc()
    setTimeout(() => console.log(taken), 50)
    setInterval(() => {}, 1000)
  `
  const args = ['--expose-gc', '--input-type=module', '-e', program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await once(child.stdout, 'data')
  return { child, taken: String(said).trim() === 'true' }
}

it('a directory is one process’s until that is gone, killed or not', async () => {
  const first = await holder()
  expect(first.taken).toBe(true)
  expect(await lockStateDir(root)).toBe(false)
  first.child.kill('SIGSTOP')
  expect(await lockStateDir(root)).toBe(false)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  expect(await lockStateDir(root)).toBe(true)
  expect(await lockStateDir(root)).toBe(false)
})

it('a directory with a long name can be taken', async () => {
  const deep = join(root, 'x'.repeat(120))
  await mkdir(deep)
  expect(await lockStateDir(deep)).toBe(true)
})
