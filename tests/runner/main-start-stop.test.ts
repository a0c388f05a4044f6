/** Runners that are stopped, and runners that cannot start. */
import { describe, expect } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { it, SLOW, source } from './fixtures/runner.ts'

describe.concurrent('a signal to stop', () => {
  it.for(['SIGTERM', 'SIGINT'] as const)(
    '%s lets a running job finish',
    async (signal, { world: { server, startRunner } }) => {
      server.jobs.push(server.job(1, source('import time\ntime.sleep(0.5)\nprint(input())')))
      const runner = startRunner()
      await server.seen('progress')
      runner.child.kill(signal)
      server.jobs.push(server.job(2))
      expect(await runner.ended).toBe(0)
      expect(server.named('result')[0]?.body).toMatchObject({ status: STATUS.AC })
      expect(server.jobs).toHaveLength(1)
    },
  )

  it('hands back what does not finish in time, without counting the attempt', async ({
    world: { server, startRunner },
  }) => {
    const [task] = server.job(1).tasks
    const tasks = task ? [{ ...task, timeLimit: 60_000 }] : []
    server.jobs.push(server.job(1, { ...SLOW, tasks }))
    const runner = startRunner()
    await server.seen('progress')
    runner.child.kill('SIGTERM')
    expect(await runner.ended).toBe(0)
    expect(server.named('release')[0]?.body).toMatchObject({ lease: 'lease-1', drained: true })
    expect(server.named('result')).toEqual([])
  })

  it('gives a claim up that hangs, and says that the runner holds nothing', async ({
    world: { server, startRunner },
  }) => {
    server.script = ({ name }) => (name === 'claim' ? 'hang' : undefined)
    const runner = startRunner()
    await server.seen('claim')
    const beats = server.named('heartbeat').length
    runner.child.kill('SIGTERM')
    expect(await runner.ended).toBe(0)
    expect(server.named('heartbeat').slice(beats)).toMatchObject([
      { body: { started: true, active: [] } },
    ])
  })

  it('ends an idle runner at once', async ({ world: { startRunner } }) => {
    const runner = startRunner()
    await runner.logged('ready')
    runner.child.kill('SIGTERM')
    expect(await runner.ended).toBe(0)
  })
})

describe.concurrent('a server that does not answer yet', () => {
  it('is asked again until it does', async ({ world: { server, startRunner } }) => {
    let left = 2
    server.script = ({ name }) => (name === 'register' && left-- > 0 ? 503 : undefined)
    await startRunner().logged('ready')
    expect(server.named('register')).toHaveLength(3)
  })

  it('is left by a runner that is stopped, which ends well', async ({
    world: { server, startRunner },
  }) => {
    server.script = ({ name }) => (name === 'register' ? 503 : undefined)
    const runner = startRunner()
    await runner.logged('register_failed')
    runner.child.kill('SIGTERM')
    expect(await runner.ended).toBe(0)
    expect(runner.complaint()).toBe('')
  })
})

describe.concurrent('a runner that cannot work', () => {
  it('says who stands in its way, and does not blame its token for that', async ({
    world: { server, startRunner },
  }) => {
    server.page = 403
    const runner = startRunner()
    expect(await runner.ended).toBe(1)
    expect(runner.complaint()).toMatch(/^127\.0\.0\.1:\d+ answered 403 with a web page/)
    expect(server.named('register')).toHaveLength(1)
  })

  it('says every setting that is wrong and exits with 1', async ({ world: { startRunner } }) => {
    const runner = startRunner({ SERVER_URL: 'nowhere', RUNNER_SLOTS: '0' })
    expect(await runner.ended).toBe(1)
    expect(runner.complaint()).toMatch(/SERVER_URL must be an address[^]*RUNNER_SLOTS must be/)
  })

  it('leaves a state directory alone that another runner works in', async ({
    world: { server, startRunner },
  }) => {
    const first = startRunner()
    await first.logged('ready')
    const second = startRunner()
    expect(await second.ended).toBe(1)
    expect(second.complaint()).toMatch(/Another runner is at work in .*RUNNER_STATE_DIR/)
    server.jobs.push(server.job(1))
    server.ticket()
    await server.seen('result')
  })

  it('takes no slot that another runner of the machine has', async ({
    world: { stateDir, startRunner },
  }) => {
    const { firstSlot } = await startRunner().logged('ready')
    const inTheMiddle = { RUNNER_FIRST_SLOT: String(Number(firstSlot) + 1) }
    const second = startRunner({ ...inTheMiddle, RUNNER_STATE_DIR: `${stateDir}-second` })
    expect(await second.ended).toBe(1)
    expect(second.complaint()).toMatch(
      /^RUNNER_FIRST_SLOT is \d+, but slot \d+ of this machine is another runner's; .*\n$/,
    )
  })

  it('says that the registration token is wrong and exits with 1', async ({
    world: { startRunner },
  }) => {
    const runner = startRunner({ RUNNER_REGISTRATION_TOKEN: 'wrong' })
    expect(await runner.ended).toBe(1)
    expect(runner.complaint()).toMatch(/Check SERVER_URL, and that RUNNER_REGISTRATION_TOKEN/)
  })
})
