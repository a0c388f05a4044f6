/** A container with exactly the settings of `runner/compose.yaml` can judge. Only root can make one here. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { createContainer, readCompose } from '../fixtures/container.ts'
import { it, QUEUE } from '../fixtures/runner.ts'

const run = promisify(execFile)
const asRoot = it.skipIf(process.getuid?.() !== 0)

asRoot(
  'a runner starts with what the compose file gives it, and judges',
  async ({ world: { server, stateDir, startRunner } }) => {
    const folder = join(stateDir, 'container')
    await mkdir(folder)
    const compose = await readCompose()
    // Docker drops all capabilities first, then adds some back.
    expect(compose.dropped).toEqual(['ALL'])
    const container = await createContainer(compose, folder)
    try {
      const [file = '', ...args] = container.command([
        '/usr/bin/cat',
        '/proc/self/status',
        '/proc/mounts',
      ])
      const { stdout } = await run(file, args)
      expect(stdout).toMatch(
        /^CapEff:\s0{14}c1$[^]*^NoNewPrivs:\s1$[^]*^Seccomp:\s2$[^]*^\S+ \/ \S+ ro,/m,
      )
      server.jobs.push(server.job(1))
      const runner = startRunner(QUEUE, container.command)
      await Promise.race([server.seen('result'), runner.ended])
      runner.child.kill('SIGKILL')
      await runner.ended
      expect(runner.complaint()).toBe('')
      expect(server.named('result')[0]?.body).toMatchObject({ status: STATUS.AC, score: 100 })
    } finally {
      await expect.poll(() => container.remove().then(() => 'removed', String)).toBe('removed')
    }
  },
)

asRoot(
  'and without its capabilities it says which ones it misses',
  async ({ world: { stateDir, startRunner } }) => {
    const folder = join(stateDir, 'container')
    await mkdir(folder)
    const container = await createContainer({ ...(await readCompose()), added: [] }, folder)
    try {
      const runner = startRunner(QUEUE, container.command)
      expect(await runner.ended).toBe(1)
      expect(runner.complaint()).toContain('keep CAP_SETUID, CAP_SETGID and CAP_CHOWN')
    } finally {
      await expect.poll(() => container.remove().then(() => 'removed', String)).toBe('removed')
    }
  },
)
