/** The host check: this machine runs these tests, so the check must pass here. */
import { execFile } from 'node:child_process'
import { availableParallelism, hostname, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { hostInfo } from '#contract/judging'
import { checkHost, kernelAtLeast, problemLines } from '../../../runner/host/check-host.ts'

const run = promisify(execFile)
const PROGRAM = join(import.meta.dirname, '../../../runner/host/check-host.ts')

test('a host on which the sandbox works has no problems and describes itself', async () => {
  const report = await checkHost()
  expect(report.problems).toEqual([])
  expect(report.ok).toBe(true)
  expect(hostInfo.parse(report.hostInfo)).toEqual(report.hostInfo)
  expect(report.hostInfo).toEqual({
    hostname: hostname(),
    kernel: release(),
    cpu: expect.stringMatching(/./),
    cores: availableParallelism(),
    memoryKb: Math.floor(totalmem() / 1024),
    cgroup: report.cgroup,
  })
})

test('a fix stands once, below all that it mends', () => {
  const problems = [
    { what: 'no a', fix: 'make letters' },
    { what: 'no 1', fix: 'make numbers' },
    { what: 'no b', fix: 'make letters' },
  ]
  expect(problemLines(problems)).toEqual([
    '- no a',
    '- no b',
    '  fix: make letters',
    '- no 1',
    '  fix: make numbers',
  ])
})

test('the check runs alone and says that the host can judge', async () => {
  const { stdout } = await run(process.execPath, [PROGRAM])
  expect(stdout).toContain('This host can judge.')
})

test.skipIf(process.getuid?.() !== 0)(
  'root that may not change ids is refused, with a way out, by exit code 1',
  async () => {
    const args = ['--bounding-set=-setuid', process.execPath, PROGRAM]
    const failure = await run('setpriv', args).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 1 })
    expect(failure).toMatchObject({ stdout: expect.stringContaining('run as an ordinary user') })
    expect(failure).toMatchObject({ stdout: expect.stringContaining('cannot judge yet') })
  },
)

test.each([
  ['6.1.0-18-amd64', true],
  ['5.19.0', true],
  ['5.15.0-100-generic', false],
  ['4.20.0', false],
  ['6.0', true],
  ['10.0.1', true],
])('Linux %s is new enough for cgroup v2: %s', (release, fits) => {
  expect(kernelAtLeast(release, 5, 19)).toBe(fits)
})
