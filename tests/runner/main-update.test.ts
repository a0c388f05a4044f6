/** A runner that was installed from a package ends when its server publishes another package. */
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { hostFiles } from '../../scripts/bundle/pack-runner.ts'
import { it, QUEUE, SLOW } from './fixtures/runner.ts'

it('it does so once nothing is judged or waits here, and hands nothing back', async ({
  world: { server, stateDir, startRunner },
}) => {
  const [pack] = await hostFiles()
  // A package's folder has its checksum as name.
  const folder = join(stateDir, 'a'.repeat(64))
  await mkdir(folder)
  await writeFile(join(folder, 'pack.tar.gz'), pack?.content ?? '')
  execFileSync('tar', ['-xzf', 'pack.tar.gz'], { cwd: folder })
  server.heartbeatSeconds = 1
  server.pack = 'a'.repeat(64)
  let refusals = 2
  server.script = ({ name }) => (name === 'result' && refusals-- > 0 ? 503 : undefined)
  const argv = [process.execPath, join(folder, 'runner.mjs')]
  server.jobs.push(server.job(1, SLOW))
  const runner = startRunner({ ...QUEUE, RUNNER_SLOTS: '1' }, () => argv)
  await server.seen('progress')
  // From now on each heartbeat offers another package.
  server.pack = 'b'.repeat(64)
  expect(await runner.ended).toBe(0)
  const events = ['judged', 'result_stored', 'updating', 'stopped']
  const times = await Promise.all(events.map(async (event) => (await runner.logged(event))['at']))
  expect(times).toEqual(times.toSorted())
  expect(server.named('result').at(-1)?.body).toMatchObject({ status: STATUS.TLE })
  expect(server.named('release')).toEqual([])
})
