/** The server wakes a waiting runner over its socket. */
import { expect } from 'vitest'
import { HOST_BUSY, HOST_WAITS } from '#contract/live'
import { it, QUEUE, SLOW } from './fixtures/runner.ts'

it('a runner that waits claims at once when it is told of a job', async ({
  world: { server, startRunner },
}) => {
  server.wakes = true
  // Without a queue, it looks for jobs once a minute.
  startRunner({ RUNNER_SLOTS: '1' })
  await server.heard(HOST_WAITS)
  // The runner looks for jobs that came before its message.
  await server.seen('claim', server.named('claim').length + 1)
  server.jobs.push(server.job(1))
  const before = server.calls.length
  server.wake()
  await server.seen('result')
  const [first] = server.calls.slice(before).filter(({ name }) => name !== 'heartbeat')
  expect(first?.name).toBe('claim')
  await server.heard(HOST_WAITS, HOST_WAITS, HOST_BUSY, HOST_WAITS)
})

it('a runner that found a job by itself says that it is busy, and again when it is told all the same', async ({
  world: { server, startRunner },
}) => {
  server.wakes = true
  startRunner({ ...QUEUE, RUNNER_SLOTS: '1' })
  await server.heard(HOST_WAITS)
  server.jobs.push(server.job(1, SLOW))
  server.ticket()
  await server.heard(HOST_WAITS, HOST_BUSY)
  const claims = server.named('claim').length
  server.jobs.push(server.job(2))
  server.wake()
  await server.heard(HOST_WAITS, HOST_BUSY, HOST_BUSY)
  expect(server.named('claim')).toHaveLength(claims)
})

it('a runner that is stopped ends its socket at once, so that others are told', async ({
  world: { server, startRunner },
}) => {
  server.wakes = true
  const runner = startRunner({ ...QUEUE, RUNNER_SLOTS: '2' })
  await server.heard(HOST_WAITS)
  server.jobs.push(server.job(1, SLOW))
  server.ticket()
  await server.seen('claim', server.named('claim').length + 1)
  runner.child.kill('SIGTERM')
  await runner.logged('draining')
  await expect.poll(() => server.socketCount).toBe(0)
  expect(runner.child.exitCode).toBeNull()
})

it('without sockets of the server it works as before', async ({
  world: { server, startRunner },
}) => {
  startRunner(QUEUE)
  await server.seen('pull', 2)
  server.jobs.push(server.job(1))
  server.ticket()
  await server.seen('result')
  expect(server.said).toEqual([])
})
