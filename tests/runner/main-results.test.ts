import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { it, source } from './fixtures/runner.ts'

describe.concurrent('a result', () => {
  it('is posted again until the server has stored it', async ({
    world: { server, startRunner, stateDir },
  }) => {
    let left = 2
    server.script = ({ name }) => (name === 'result' && left-- > 0 ? 503 : undefined)
    server.jobs.push(server.job(1))
    const runner = startRunner()
    await runner.logged('result_stored')
    expect(server.named('result')).toHaveLength(3)
    // The runner tries again after seconds; after a minute there would be four heartbeats.
    const [first, , last] = server.named('result').map((call) => server.calls.indexOf(call))
    const between = server.calls.slice(first, last)
    expect(between.filter(({ name }) => name === 'heartbeat').length).toBeLessThan(3)
    expect(await readdir(join(stateDir, 'results'))).toEqual([])
  })

  it('is dropped when the lease is stale', async ({ world: { server, startRunner, stateDir } }) => {
    server.script = ({ name }) => (name === 'result' ? 409 : undefined)
    server.jobs.push(server.job(1))
    const runner = startRunner()
    await runner.logged('result_stale')
    expect(server.named('result')).toHaveLength(1)
    expect(await readdir(join(stateDir, 'results'))).toEqual([])
  })

  it('survives kill -9 and is posted by the next start [QF2] [QF3]', async ({
    world: { server, startRunner },
  }) => {
    server.script = ({ name }) => (name === 'result' ? 503 : undefined)
    server.jobs.push(server.job(1))
    const first = startRunner()
    await first.logged('result_waits')
    first.child.kill('SIGKILL')
    await first.ended
    const tried = server.named('result').length
    server.script = () => undefined
    const second = startRunner()
    await second.logged('result_stored')
    expect(server.named('result')[tried]?.body).toMatchObject({
      lease: 'lease-1',
      status: STATUS.AC,
    })
    expect(server.named('register')).toHaveLength(1)
  })

  it('that waits is named in the first beat of the next start, which comes before any claim', async ({
    world: { server, startRunner },
  }) => {
    server.script = ({ name }) => (name === 'result' ? 503 : undefined)
    server.jobs.push(server.job(1))
    const first = startRunner()
    await first.logged('result_waits')
    first.child.kill('SIGKILL')
    await first.ended
    const before = server.calls.length
    let beats = 0
    server.script = ({ name }) =>
      name === 'result' || (name === 'heartbeat' && ++beats < 3) ? 503 : undefined
    startRunner()
    await server.seen('claim', server.named('claim').length + 1)
    const calls = server.calls.slice(before).filter(({ name }) => name !== 'result')
    expect(calls.map(({ name }) => name)).toEqual(['heartbeat', 'heartbeat', 'heartbeat', 'claim'])
    for (const { body } of calls.slice(0, 3))
      expect(body).toMatchObject({ started: true, active: ['1'.padStart(24, '0')] })
  })

  it('of judging during an outage is delivered when the server is back, before new claims [QF3]', async ({
    world: { server, startRunner },
  }) => {
    const runner = startRunner()
    await server.seen('pull')
    let down = false
    server.script = ({ name }) => {
      if (name === 'result') down = true
      return down ? 'cut' : undefined
    }
    server.jobs.push(server.job(1))
    server.ticket()
    await runner.logged('server_lost')
    const before = server.calls.length
    server.script = () => undefined
    await runner.logged('result_stored')
    const later = server.calls.slice(before).map(({ name }) => name)
    expect(later.filter((name) => name === 'result' || name === 'claim')[0]).toBe('result')
  })

  it('too large for the server goes without its outputs', async ({
    world: { server, startRunner },
  }) => {
    server.script = ({ name, body }) =>
      name === 'result' && Array.isArray(body['outputs']) && body['outputs'].length > 0
        ? 413
        : undefined
    server.jobs.push(server.job(1, source('print(2)')))
    const runner = startRunner()
    await runner.logged('result_stored')
    expect(server.named('result')[1]?.body).toMatchObject({ status: STATUS.WA, outputs: [] })
  })
})
