/** Jobs that wait for a slot at a runner, while the server has more. */
import { expect } from 'vitest'
import { RUNNERS } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import type { JudgeServer } from './fixtures/judge-server.ts'
import { it, QUEUE, SLOW, source } from './fixtures/runner.ts'

const ONE_SLOT = { ...QUEUE, RUNNER_SLOTS: '1' }

/**
 * Gives a job to every claim, and says that there are more.
 * @returns resolves to the id of the first job claimed ahead, while the only slot was at work
 */
function neverEnding(server: JudgeServer, change: (id: number) => object = () => ({})) {
  const { promise, resolve } = Promise.withResolvers<string>()
  let id = 0
  server.script = ({ name, body }) => {
    const asked = name === 'claim' ? body : name === 'result' ? body['next'] : undefined
    if (asked === undefined) return undefined
    id += 1
    const job = { ...server.job(id, change(id)), more: true }
    server.jobs.splice(0, Infinity, job)
    if (Object(asked)['ahead'] === true) resolve(job.judgementId)
    return undefined
  }
  return promise
}

/** Gives quick jobs to every claim; after `slowDown` it gives jobs that take much longer. */
function neverEndingSlow(server: JudgeServer, timeLimit: number) {
  let areSlow = false
  const slowIds: string[] = []
  const claimed = neverEnding(server, (id) => {
    if (!areSlow) return {}
    slowIds.push(id.toString(16).padStart(24, '0'))
    return { ...SLOW, tasks: server.job(id).tasks.map((task) => ({ ...task, timeLimit })) }
  })
  return { claimed, slowIds, slowDown: () => (areSlow = true) }
}

/** Exactly these jobs were handed back before they began. */
function expectBack(server: JudgeServer, ids: readonly string[]) {
  const back = server.named('release')
  expect(back.map(({ id }) => id).toSorted()).toEqual(ids)
  for (const { body } of back) expect(body).toMatchObject({ drained: true, began: false })
}

it('judges what it claimed ahead as soon as its slot is free', async ({
  world: { server, startRunner },
}) => {
  const claimed = neverEnding(server)
  startRunner(ONE_SLOT)
  const id = await claimed
  await expect.poll(() => server.named('result').find((call) => call.id === id)).toBeDefined()
  expect(server.named('result').find((call) => call.id === id)?.body).toMatchObject({
    status: STATUS.AC,
  })
  expect(server.named('release').filter((call) => call.id === id)).toEqual([])
})

it('judges the job of the student with the fewest recent ones first, though another waits longer', async ({
  world: { server, startRunner },
}) => {
  const idOf = (number: number) => number.toString(16).padStart(24, '0')
  // The first is at work while the second and the third come.
  void neverEnding(server, (number) => ({
    ...(number === 1 && source('import time\ntime.sleep(0.5)')),
    rank: number === 3 ? 0 : 5,
  }))
  startRunner(ONE_SLOT)
  const done = () => server.named('result').map(({ id }) => id)
  await expect.poll(done).toContain(idOf(2))
  const order = done().filter((id) => [1, 2, 3].map(idOf).includes(id ?? ''))
  expect(order).toEqual([1, 3, 2].map(idOf))
})

it('hands back at once what it claimed ahead when it is stopped', async ({
  world: { server, startRunner },
}) => {
  const { claimed, slowIds, slowDown } = neverEndingSlow(server, 2_000)
  const runner = startRunner(ONE_SLOT)
  await claimed
  slowDown()
  // The first slow job is at work.
  await expect.poll(() => slowIds.length).toBeGreaterThan(1)
  const [first] = slowIds
  await expect.poll(() => server.named('progress').some(({ id }) => id === first)).toBe(true)
  runner.child.kill('SIGTERM')
  expect(await runner.ended).toBe(0)
  expectBack(server, slowIds.slice(1))
  // The waiting jobs went back at once, before the job at work ended.
  const ended = server.calls.filter(({ name }) => ['release', 'result'].includes(name))
  expect(ended.at(-1)).toMatchObject({ name: 'result', id: first })
})

it('hands back what waits for a slot for two seconds, and claims nothing more meanwhile', async ({
  world: { server, startRunner },
}) => {
  const { claimed, slowIds, slowDown } = neverEndingSlow(server, 60_000)
  startRunner(ONE_SLOT)
  await claimed
  slowDown()
  await server.seen('release')
  await expect.poll(() => server.named('release').length).toBe(slowIds.length - 1)
  // The job at work continues alone.
  await server.seen('heartbeat', server.named('heartbeat').length + 1)
  expectBack(server, slowIds.slice(1))
  expect(slowIds.length).toBeLessThanOrEqual(1 + RUNNERS.aheadPerSlot)
})
