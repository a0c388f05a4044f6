/** Events during a call of the runner, rather than between two calls. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { HOST_WAITS } from '#contract/live'
import { eventually } from '../support/eventually.ts'
import type { JudgeServer } from './fixtures/judge-server.ts'
import { it, QUEUE, source } from './fixtures/runner.ts'

const ONE_SLOT = { ...QUEUE, RUNNER_SLOTS: '1' }
const [FIRST = '', SECOND = ''] = ['1', '2'].map((id) => id.padStart(24, '0'))

/** Stops a runner, and waits until it has closed its socket, which shows that it knows. */
async function stop(server: JudgeServer, runner: { child: { kill: (signal: 'SIGTERM') => void } }) {
  runner.child.kill('SIGTERM')
  await eventually(() => expect(server.socketCount).toBe(0))
}

/** The jobs with a result, and the released jobs, by id. */
function endsOf(server: JudgeServer) {
  const ids = (name: string) => server.named(name).map(({ id }) => id)
  return { results: ids('result'), releases: ids('release') }
}

describe.concurrent('while a claim is under way', () => {
  it('a message of the server leads to another claim at once', async ({
    world: { server, startRunner },
  }) => {
    server.wakes = true
    // Without a queue, it looks for jobs once a minute.
    startRunner({ RUNNER_SLOTS: '1' })
    await server.heard(HOST_WAITS)
    await server.seen('claim', server.named('claim').length + 1)
    const claims = server.named('claim').length
    let isFirst = true
    server.script = async ({ name }) => {
      if (name !== 'claim' || !isFirst) return undefined
      isFirst = false
      await server.wakeAndWait()
      // The job comes just after the server has looked for one.
      setImmediate(() => server.jobs.push(server.job(1)))
      return undefined
    }
    server.wake()
    const [empty, next] = [
      await server.seen('claim', claims + 1),
      await server.seen('claim', claims + 2),
    ]
    // In a minute there would be four heartbeats.
    const between = server.calls.slice(server.calls.indexOf(empty), server.calls.indexOf(next))
    expect(between.filter(({ name }) => name === 'heartbeat').length).toBeLessThanOrEqual(1)
    expect(await server.seen('result')).toMatchObject({ id: FIRST, body: { status: STATUS.AC } })
  })

  it('a stop loses no job of its answer, and no claim follows', async ({
    world: { server, startRunner },
  }) => {
    server.wakes = true
    const runner = startRunner(ONE_SLOT)
    await server.heard(HOST_WAITS)
    let claims = 0
    const answered = Promise.withResolvers<void>()
    server.script = async ({ name }) => {
      if (name !== 'claim') return undefined
      claims += 1
      await stop(server, runner)
      answered.resolve()
      return undefined
    }
    server.jobs.push(server.job(1), server.job(2))
    server.ticket()
    expect(await runner.ended).toBe(0)
    await answered.promise
    expect(claims).toBe(1)
    // On a slow machine the runner gives the claim up and reports that it holds nothing; otherwise the job comes back.
    const [, ...freeing] = server.named('heartbeat').filter(({ body }) => body['started'])
    const { results, releases } = endsOf(server)
    expect([...results, ...releases, ...freeing.map(() => FIRST)]).toEqual([FIRST])
  })

  it('a pause by an admin leaves it the job of its answer, and no claim follows', async ({
    world: { server, startRunner },
  }) => {
    server.heartbeatSeconds = 1
    server.jobs.push(server.job(1), server.job(2))
    server.script = async ({ name }) => {
      if (name !== 'claim') return undefined
      server.state = 'draining'
      await runner.logged('paused')
      return undefined
    }
    const runner = startRunner(ONE_SLOT)
    expect((await server.seen('result')).id).toBe(FIRST)
    await server.seen('heartbeat', server.named('heartbeat').length + 2)
    expect(server.named('claim')).toHaveLength(1)
  })
})

describe.concurrent('while a result is on its way', () => {
  it('a stop waits for the answer, and hands nothing back', async ({
    world: { server, startRunner, stateDir },
  }) => {
    server.wakes = true
    server.jobs.push(server.job(1))
    const runner = startRunner(ONE_SLOT)
    server.script = async ({ name }) => {
      if (name === 'result') await stop(server, runner)
      return undefined
    }
    expect(await runner.ended).toBe(0)
    expect(endsOf(server)).toEqual({ results: [FIRST], releases: [] })
    expect(await readdir(join(stateDir, 'results'))).toEqual([])
  })

  it('a lost claim frees no job that its answer brings', async ({
    world: { server, startRunner },
  }) => {
    server.heartbeatSeconds = 1
    server.jobs.push(server.job(1))
    const answered = Promise.withResolvers<void>()
    const freeing = () =>
      server
        .named('heartbeat')
        .filter(({ body }) => body['started'])
        .slice(1)
    const lost = Promise.withResolvers<void>()
    let isAsked = false
    server.script = async ({ name, id }) => {
      if (name === 'result' && id === FIRST) {
        isAsked = true
        server.ticket()
        await answered.promise
        server.jobs.push(server.job(2))
      }
      if (name !== 'claim' || !isAsked) return undefined
      isAsked = false
      lost.resolve()
      return 'cut'
    }
    startRunner({ ...QUEUE, RUNNER_SLOTS: '2' })
    await lost.promise
    await server.seen('heartbeat', server.named('heartbeat').length + 5)
    expect(freeing()).toEqual([])
    answered.resolve()
    await server.seen('result', 2)
    await eventually(() => expect(freeing()).toHaveLength(1))
    expect(endsOf(server)).toEqual({ results: [FIRST, SECOND], releases: [] })
  })

  it('a stop that gets no answer leaves it to the next start, and hands nothing back', async ({
    world: { server, startRunner },
  }) => {
    server.jobs.push(server.job(1))
    const runner = startRunner(ONE_SLOT)
    server.script = ({ name }) => {
      if (name !== 'result') return undefined
      runner.child.kill('SIGTERM')
      return 'hang'
    }
    expect(await runner.ended).toBe(0)
    expect(server.named('release')).toEqual([])
    server.script = () => undefined
    const next = startRunner(ONE_SLOT)
    await next.logged('result_stored')
    expect(endsOf(server)).toEqual({ results: [FIRST, FIRST], releases: [] })
  })

  it('a server that starts anew gets it again, whatever stands in for it meanwhile', async ({
    world: { server, startRunner },
  }) => {
    server.jobs.push(server.job(1))
    const runner = startRunner(ONE_SLOT)
    // First the server ends, then a proxy shows its page, then the server fails while it starts.
    const answers: (() => 'cut' | 503 | undefined)[] = [
      () => {
        server.page = 502
        return 'cut'
      },
      () => {
        server.page = null
        return 503
      },
    ]
    server.script = ({ name }) => (name === 'result' ? answers.shift()?.() : undefined)
    await runner.logged('result_stored')
    expect(endsOf(server)).toEqual({ results: [FIRST, FIRST, FIRST], releases: [] })
  })
})

it('a lease that is lost while a program is compiled ends the compiler, and the next job is judged', async ({
  world: { server, startRunner },
}) => {
  // Counts to half a million at compile time, which takes a second or more, and then compiles.
  const slow = `constexpr long count(long n) {
      long sum = 0;
      for (long i = 0; i < 5; i++) for (long j = 0; j < 100000; j++) sum += j ^ n;
      return sum;
    }
    static_assert(count(1) > 0);
    int main() {}`
  const job = server.job(1, { ...source(slow), language: 'cpp' })
  server.jobs.push(job, server.job(2))
  server.script = ({ name, id, body }) =>
    name === 'progress' && id === FIRST && body['phase'] === 'compiling' ? 409 : undefined
  const runner = startRunner(ONE_SLOT)
  await runner.logged('lease_lost')
  expect(await runner.logged('judged')).toMatchObject({ judgementId: SECOND })
  await server.seen('result')
  expect(endsOf(server)).toEqual({ results: [SECOND], releases: [] })
})
