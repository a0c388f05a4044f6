import { describe, expect } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { it, QUEUE, SLOW } from './fixtures/runner.ts'
import { buildZip } from './fixtures/zip-builder.ts'

describe.concurrent('a runner', () => {
  it('claims at once, judges, and reports with the lease', async ({
    world: { server, startRunner },
  }) => {
    server.jobs.push(server.job(1))
    startRunner()
    const { id, body } = await server.seen('result')
    expect(id).toBe('1'.padStart(24, '0'))
    expect(body).toMatchObject({ lease: 'lease-1', status: STATUS.AC, score: 100, reason: null })
  })

  it('works without a queue and a socket, by claims', async ({
    world: { server, startRunner },
  }) => {
    startRunner({ RUNNER_SLOTS: '1' })
    await server.seen('claim', 2)
    server.jobs.push(server.job(1))
    await server.seen('result')
    expect(server.named('pull')).toEqual([])
  })

  it('turns a ticket into a claim and acknowledges it when the claim was answered', async ({
    world: { server, startRunner },
  }) => {
    startRunner()
    await server.seen('pull')
    server.jobs.push(server.job(1))
    server.ticket()
    server.ticket('nonsense')
    await server.seen('result')
    await server.seen('ack')
    const acks = server.named('ack').flatMap(({ body }) => body['acks'])
    expect(acks).toHaveLength(2)
  })

  it('settles a ticket of a job whose result is stored without a claim', async ({
    world: { server, startRunner },
  }) => {
    const job = server.job(1)
    server.jobs.push(job)
    const runner = startRunner()
    await runner.logged('result_stored')
    await server.seen('pull', server.named('pull').length + 1)
    server.ticket(JSON.stringify({ v: 1, judgementId: job.judgementId }))
    const ack = await server.seen('ack')
    const before = server.calls.slice(0, server.calls.indexOf(ack)).map(({ name }) => name)
    expect(before.slice(before.lastIndexOf('pull'))).not.toContain('claim')
  })

  it('does not acknowledge a ticket whose claim got no answer, and finds the job later', async ({
    world: { server, startRunner },
  }) => {
    const runner = startRunner()
    await server.seen('pull')
    server.jobs.push(server.job(1))
    server.script = ({ name }) => (name === 'claim' ? 'cut' : undefined)
    server.ticket()
    await runner.logged('server_lost')
    expect(server.named('ack')).toEqual([])
    // The server gives the job of the lost answer to the next claim after its lease.
    server.jobs.push(server.job(1))
    server.script = () => undefined
    await runner.logged('server_back')
    await server.seen('result')
  })

  it('gives a server the time that it asks for', async ({ world: { server, startRunner } }) => {
    const times: number[] = []
    server.retryAfterSeconds = 3
    server.script = ({ name }) => {
      if (name !== 'claim') return undefined
      times.push(performance.now())
      return times.length === 1 ? 429 : undefined
    }
    startRunner()
    await server.seen('claim', 2)
    const [first = 0, second = 0] = times
    expect(second - first).toBeGreaterThan(2_900)
  })

  it('keeps judging by asking when the queue refuses it', async ({
    world: { server, startRunner },
  }) => {
    server.script = ({ name }) => (name === 'pull' ? 403 : undefined)
    const runner = startRunner()
    await runner.logged('queue_failed')
    server.jobs.push(server.job(1))
    await server.seen('result')
  })

  it('judges as many jobs at once as it has slots, without tickets in between', async ({
    world: { server, startRunner },
  }) => {
    for (let id = 1; id <= 6; id++) server.jobs.push(server.job(id))
    startRunner()
    await server.seen('result', 6)
    expect(new Set(server.named('result').map(({ id }) => id)).size).toBe(6)
    const calls = server.calls.map(({ name }) => name)
    const claims = calls.flatMap((name, at) => (name === 'claim' ? [at] : []))
    // When no more jobs can be claimed, the runner may ask for a ticket while the last job runs.
    expect(calls.slice(0, claims[5])).not.toContain('pull')
  })

  it('downloads test data once for many jobs', async ({ world: { server, startRunner } }) => {
    for (let id = 1; id <= 4; id++) server.jobs.push(server.job(id))
    startRunner()
    await server.seen('result', 4)
    expect(server.named('test-data')).toHaveLength(1)
  })

  it('calls a bad zip a Judge Error and names the entry [QF6]', async ({
    world: { server, startRunner },
  }) => {
    server.jobs.push(server.job(1, {}, buildZip([{ name: '0000.in', data: 'x', crc: 7 }])))
    startRunner()
    const { body } = await server.seen('result')
    expect(body).toMatchObject({ status: STATUS.JE, reason: expect.stringMatching(/^0000\.in: /) })
  })

  it('hands a job back, with the reason, when its test data are not there [QF6]', async ({
    world: { server, startRunner },
  }) => {
    server.script = ({ name }) => (name === 'test-data' ? 404 : undefined)
    server.jobs.push(server.job(1))
    startRunner()
    const { body } = await server.seen('release')
    expect(body).toMatchObject({ lease: 'lease-1', drained: false, fault: 'job' })
    expect(server.named('result')).toEqual([])
  })

  it('says that the trouble is its own when it cannot reach the test data', async ({
    world: { server, startRunner },
  }) => {
    server.script = ({ name }) => (name === 'test-data' ? 503 : undefined)
    server.jobs.push(server.job(1))
    startRunner()
    const { body } = await server.seen('release')
    expect(body).toMatchObject({ lease: 'lease-1', drained: false, fault: 'host' })
  })

  it('gets the next job with the answer to a result, and asks with its last one in vain', async ({
    world: { server, startRunner },
  }) => {
    const jobs = [server.job(1), server.job(2), server.job(3)]
    server.jobs.push(...jobs.map((job) => ({ ...job, more: false })))
    startRunner({ RUNNER_SLOTS: '1' })
    const last = await server.seen('result', 3)
    expect(server.named('result').map(({ id }) => id)).toEqual(
      jobs.map(({ judgementId }) => judgementId),
    )
    expect(last.body['next']).toEqual({ takesRuns: true, ahead: false })
    expect(server.named('claim')).toHaveLength(1)
  })

  it('hands a job back that it cannot read, and goes on with the next one at once', async ({
    world: { server, startRunner },
  }) => {
    server.jobs.push(server.job(1, { language: 'cobol' as 'c' }), server.job(2))
    const runner = startRunner()
    const { id, body } = await server.seen('release')
    expect(id).toBe('1'.padStart(24, '0'))
    expect(body).toMatchObject({
      lease: 'lease-1',
      drained: false,
      fault: 'job',
      reason: expect.stringMatching(/^This runner cannot read the job: .*language/s),
    })
    expect((await server.seen('result')).id).toBe('2'.padStart(24, '0'))
    await runner.logged('handed_back')
  })

  it('tells the server with its first beat what it compiles with and how fast it is', async ({
    world: { server, startRunner },
  }) => {
    startRunner()
    await server.seen('heartbeat')
    const registered = server.named('register')[0]?.body
    const [beat] = server.named('heartbeat')
    for (const body of [registered, beat?.body])
      expect(body).toMatchObject({
        host: {
          calibrationMs: expect.any(Number),
          languages: {
            c: expect.stringMatching(/^gcc .*\d/),
            py3: expect.stringMatching(/^Python 3/),
          },
        },
      })
  })

  it('names its jobs in heartbeats, so that their leases live', async ({
    world: { server, startRunner },
  }) => {
    server.heartbeatSeconds = 1
    server.jobs.push(server.job(1, SLOW))
    startRunner()
    await server.seen('progress')
    await server.seen('heartbeat', server.named('heartbeat').length + 1)
    expect(server.named('heartbeat').at(-1)?.body).toEqual({
      active: ['1'.padStart(24, '0')],
      slots: 2,
      free: 1,
      load: expect.any(Number),
    })
  })

  it('shows progress, and drops a job whose lease is gone', async ({
    world: { server, startRunner },
  }) => {
    const first = server.job(1, SLOW)
    server.script = ({ name, id }) =>
      name === 'progress' && id === first.judgementId ? 409 : undefined
    const tasks = [50, 50].map((taskScore) => ({
      caseCount: 1,
      taskScore,
      sample: false,
      timeLimit: 200,
      memoryLimit: 65_536,
      outputLimit: 64,
    }))
    server.jobs.push({ ...first, tasks })
    const runner = startRunner({ ...QUEUE, RUNNER_SLOTS: '1' })
    await runner.logged('lease_lost')
    server.jobs.push(server.job(2))
    await server.seen('result')
    expect(server.named('result').map(({ id }) => id)).toEqual(['2'.padStart(24, '0')])
    expect(server.givenUp).toEqual([])
    expect(server.named('progress')[0]?.body).toMatchObject({ lease: 'lease-1' })
  })

  it('takes nothing while the server says draining, and goes on afterwards', async ({
    world: { server, startRunner },
  }) => {
    server.state = 'draining'
    server.heartbeatSeconds = 1
    const runner = startRunner()
    await runner.logged('paused')
    server.jobs.push(server.job(1))
    const claims = server.named('claim').length
    await server.seen('heartbeat', 3)
    expect(server.named('claim').length - claims).toBeLessThanOrEqual(1)
    server.state = 'active'
    await server.seen('result')
  })

  it('registers anew when its token is no longer known', async ({
    world: { server, startRunner },
  }) => {
    startRunner()
    await server.seen('pull')
    server.token = 'token-2'
    server.jobs.push(server.job(1))
    server.ticket()
    await server.seen('result')
    expect(server.named('register')).toHaveLength(2)
  })
})
