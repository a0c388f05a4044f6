/** Checkers and interactors in the whole runner: their failures are results, and no job waits behind them. */
import { expect } from 'vitest'
import type { Job } from '#contract/judging'
import { STATUS } from '#contract/verdicts'
import { it, source } from './fixtures/runner.ts'
import type { JudgeServer, ZipJob } from './fixtures/judge-server.ts'

const checker = (code: string): Job['compare'] => ({
  mode: 'checker',
  language: 'py3',
  source: code,
})
const interactor = (code: string): Job['compare'] => ({
  mode: 'interactor',
  language: 'py3',
  source: code,
})

/** Result status by job number. */
function statuses(server: JudgeServer): Map<number, unknown> {
  return new Map(server.named('result').map(({ id, body }) => [parseInt(id, 16), body['status']]))
}

it.concurrent(
  'reports every job once, whatever its checker or interactor does',
  async ({ world: { server, startRunner } }) => {
    const talker = source('print("? 1", flush=True)\nprint(input())')
    const jobs: [change: Partial<ZipJob>, status: number][] = [
      [{ compare: checker('exit(0)') }, STATUS.AC],
      [{ compare: checker('exit(1)') }, STATUS.WA],
      [{ compare: checker('exit(3)') }, STATUS.JE],
      [{ compare: checker('import os\nos.abort()') }, STATUS.JE],
      [{ compare: checker('print(') }, STATUS.JE],
      [{ compare: interactor('input()\nprint(1)\nexit(0)'), ...talker }, STATUS.AC],
      [{ compare: interactor('input()\nprint(1)\nexit(1)'), ...talker }, STATUS.WA],
      [{ compare: interactor('exit(3)'), ...talker }, STATUS.JE],
      [{}, STATUS.AC],
    ]
    for (const [index, [change]] of jobs.entries()) server.jobs.push(server.job(index + 1, change))
    startRunner()
    // The runner may send a result twice if the answer was slow.
    await expect.poll(() => statuses(server).size).toBe(jobs.length)
    expect(statuses(server)).toEqual(new Map(jobs.map(([, status], index) => [index + 1, status])))
    expect(server.givenUp).toEqual([])
    const failures = server.named('result').filter(({ body }) => body['status'] === STATUS.JE)
    for (const { body } of failures) expect(body['reason']).toMatch(/^The (checker|interactor) /)
  },
)

it.concurrent(
  'is stopped in the middle of a conversation and hands the job back',
  async ({ world: { server, startRunner } }) => {
    const waiting = { compare: interactor('import sys\nsys.stdin.read()'), ...source('input()') }
    const tasks = [
      {
        caseCount: 1,
        taskScore: 100,
        sample: false,
        timeLimit: 60_000,
        memoryLimit: 65_536,
        outputLimit: 64,
      },
    ]
    server.jobs.push(server.job(1, { ...waiting, tasks }))
    const runner = startRunner({ RUNNER_SLOTS: '1' })
    await server.seen('progress', 2)
    runner.child.kill('SIGTERM')
    const { body } = await server.seen('release')
    expect(body).toMatchObject({ drained: true })
    expect(await runner.ended).toBe(0)
  },
)
