/** Sample runs in the whole runner: they make room for submissions. */
import { expect } from 'vitest'
import { STATUS } from '#contract/verdicts'
import type { JudgeServer } from './fixtures/judge-server.ts'
import { it, QUEUE, SLOW, source } from './fixtures/runner.ts'

/** A run on ten inputs. */
function runOf(server: JudgeServer, id: number, code = SLOW) {
  const inputs = Array.from({ length: 10 }, () => ({ input: '1\n', expected: '1\n' }))
  const job = server.job(id, code)
  const tasks = inputs.map(() => job.tasks.map((task) => ({ ...task, taskScore: 0, sample: true })))
  return { ...job, testData: { inputs }, tasks: tasks.flat() }
}

const idOf = (id: number) => id.toString(16).padStart(24, '0')

it('a run is judged and reported as any job', async ({ world: { server, startRunner } }) => {
  server.jobs.push(runOf(server, 1, source('print(input())')))
  startRunner()
  const { body } = await server.seen('result')
  expect(body).toMatchObject({ lease: 'lease-1', status: STATUS.AC, score: 0 })
  expect(body['outputs']).toHaveLength(10)
})

it('a submission takes the place of a run on the only slot, and the run goes back', async ({
  world: { server, startRunner },
}) => {
  server.jobs.push(runOf(server, 1))
  startRunner({ ...QUEUE, RUNNER_SLOTS: '1' })
  await server.seen('progress')
  server.jobs.push(server.job(2))
  server.ticket()
  const back = await server.seen('release')
  expect(back).toMatchObject({ id: idOf(1), body: { lease: 'lease-1', drained: true } })
  const { id, body } = await server.seen('result')
  expect(id).toBe(idOf(2))
  expect(body).toMatchObject({ status: STATUS.AC, score: 100 })
})

it('of two runs the one that began last makes room', async ({ world: { server, startRunner } }) => {
  server.jobs.push(runOf(server, 1), runOf(server, 2))
  startRunner({ ...QUEUE, RUNNER_SLOTS: '2' })
  const atWork = () => new Set(server.named('progress').map(({ id }) => id)).size
  await expect.poll(atWork).toBe(2)
  server.jobs.push(server.job(3))
  server.ticket()
  expect((await server.seen('release')).id).toBe(idOf(2))
  expect((await server.seen('result')).id).toBe(idOf(3))
})

it('while all slots are at work it claims submissions only', async ({
  world: { server, startRunner },
}) => {
  server.jobs.push(runOf(server, 1))
  startRunner({ ...QUEUE, RUNNER_SLOTS: '1' })
  await server.seen('progress')
  const asked = server.named('claim').length
  server.ticket()
  const { body } = await server.seen('claim', asked + 1)
  expect(body['takesRuns']).toBe(false)
})

it('a submission that was claimed while the run lost its lease is judged all the same', async ({
  world: { server, startRunner },
}) => {
  server.jobs.push(runOf(server, 1))
  const runner = startRunner({ ...QUEUE, RUNNER_SLOTS: '1' })
  await server.seen('progress')
  server.script = async ({ name, id }) => {
    if (name === 'progress' && id === idOf(1)) return 409
    // The server answers the claim only after the run has lost its lease.
    if (name === 'claim') await runner.logged('lease_lost')
    return undefined
  }
  server.jobs.push(server.job(2))
  server.ticket()
  const { id, body } = await server.seen('result')
  expect(id).toBe(idOf(2))
  expect(body).toMatchObject({ status: STATUS.AC, score: 100 })
})

it('a run that its person has replaced ends within its case', async ({
  world: { server, startRunner },
}) => {
  server.jobs.push(runOf(server, 1))
  const isReplaced = () => server.named('progress').length > 5
  server.script = ({ name, id, body }) =>
    name === 'progress' && id === idOf(1) && body['done'] === 0 && isReplaced() ? 409 : undefined
  const runner = startRunner({ ...QUEUE, RUNNER_SLOTS: '1' })
  await runner.logged('lease_lost')
  server.jobs.push(server.job(2))
  server.ticket()
  expect(await server.seen('result')).toMatchObject({ id: idOf(2) })
})
