import { once } from 'node:events'
import { expect, it } from 'vitest'
import type { Job } from '#contract/judging'
import { WorkFinder } from '../../../runner/server/work-finder.ts'
import { NOT_FROM_SERVER, RefusedError, UnreachableError } from '../../../runner/server/errors.ts'
import { JudgeServer } from '../fixtures/judge-server.ts'

const jobs = new JudgeServer()

/** A finder with the test's queue and server, and the calls that it made. */
function finding({ hasQueue = true, isWoken = false } = {}) {
  const state = {
    now: 0,
    open: [] as Job[],
    tickets: [] as (boolean | string)[],
    queueFails: false,
    queueIsGenerous: false,
    claimHangs: false,
    duringClaim: () => {},
    duringPull: () => {},
    claimFails: null as Error | null,
    /** The bodies of claims. */
    said: [] as unknown[],
    acknowledgeFails: false,
    never: new AbortController().signal,
  }
  const asked: string[] = []
  const started: string[] = []
  let isToldToWait = false
  /** Like a socket, reports only changes. */
  function say(waits: boolean): boolean {
    if (!isWoken || isToldToWait === waits) return false
    isToldToWait = waits
    asked.push(waits ? 'waits' : 'busy')
    return true
  }
  const finder = new WorkFinder({
    server: {
      async claim(request, stop) {
        asked.push('claim')
        state.said.push(request)
        state.duringClaim()
        if (state.claimHangs) await once(stop ?? state.never, 'abort')
        if (state.claimFails) throw state.claimFails
        const job = state.open.shift()
        return job ? { more: true, ...job } : null
      },
      async pullTickets(count) {
        asked.push(`pull ${count}`)
        state.duringPull()
        if (state.queueFails) throw new Error('queue down')
        const taken = state.tickets.splice(0, state.queueIsGenerous ? Infinity : count)
        return taken.map((ticket, n) => ({
          leaseId: String(n),
          judgementId: ticket === true ? 'f'.repeat(24) : ticket === false ? null : ticket,
        }))
      },
      async acknowledge(ids) {
        asked.push(`ack ${ids.length}`)
        if (state.acknowledgeFails) throw new Error('queue down')
      },
    },
    reportActiveJobs: async () => void asked.push('tell'),
    waker: { isOpen: isWoken, say },
    hasQueue,
    idleClaimMs: 10_000,
    log: () => {},
    now: () => state.now,
  })
  const start = (job: Job) => void started.push(job.judgementId)
  return {
    state,
    asked,
    started,
    finder,
    wake() {
      isToldToWait = false
      finder.wake()
    },
    async findJobs(free = 2) {
      asked.length = 0
      const pauseMs = await finder.findJobs(free, true, start)
      return { pauseMs, asked: [...asked] }
    },
  }
}

it('asks at the start, then pulls, and asks again after the idle time', async () => {
  const { state, findJobs } = finding()
  expect((await findJobs()).asked).toEqual(['claim'])
  expect((await findJobs()).asked).toEqual(['pull 2'])
  state.now = 10_000
  expect((await findJobs()).asked).toEqual(['claim'])
})

it('asks at once after a job, until there is nothing', async () => {
  const { state, findJobs, started, wake } = finding()
  await findJobs()
  wake()
  state.open.push(jobs.job(1), jobs.job(2))
  expect(await findJobs()).toEqual({ pauseMs: 0, asked: ['claim'] })
  expect(await findJobs()).toEqual({ pauseMs: 0, asked: ['claim'] })
  expect((await findJobs()).pauseMs).toBeGreaterThan(0)
  expect(started).toHaveLength(2)
})

it('claims once per ticket, no more than it has slots, and settles the rest of the batch', async () => {
  const { state, findJobs, started } = finding()
  await findJobs()
  state.tickets = [true, false, true, true]
  state.open.push(jobs.job(1))
  expect((await findJobs(4)).asked).toEqual(['pull 4', 'claim', 'claim', 'ack 4'])
  expect(started).toHaveLength(1)
})

it('claims no more than it has slots from a queue that gives more than was asked for', async () => {
  const { state, findJobs, started } = finding()
  await findJobs()
  state.queueIsGenerous = true
  state.tickets = [true, true, true, true]
  state.open.push(jobs.job(1), jobs.job(2), jobs.job(3))
  expect((await findJobs(2)).asked).toEqual(['pull 2', 'claim', 'claim', 'ack 2'])
  expect(started).toHaveLength(2)
})

it('without a queue and a socket asks every one or two seconds', async () => {
  const { state, findJobs } = finding({ hasQueue: false })
  const { asked, pauseMs } = await findJobs()
  expect(asked).toEqual(['claim'])
  expect(pauseMs).toBeGreaterThanOrEqual(1_000)
  expect(pauseMs).toBeLessThanOrEqual(2_000)
  state.now = 1_499
  expect((await findJobs()).asked).toEqual([])
  state.now = 1_500
  expect((await findJobs()).asked).toEqual(['claim'])
})

it('claims at once where a job that came with a result says that there are more, and not after a look that a result made', async () => {
  const { state, findJobs, finder } = finding()
  await findJobs()
  finder.noteJob({ ...jobs.job(1), more: true })
  expect((await findJobs()).asked).toEqual(['claim'])
  finder.wake()
  state.now = 9_000
  finder.noteLook()
  state.now = 18_999
  expect((await findJobs()).asked).toEqual(['pull 2'])
  state.now = 19_000
  expect((await findJobs()).asked).toEqual(['claim'])
})

it('says what it takes: a sample run for a free slot, or a job that waits for one', async () => {
  const { state, finder, findJobs, started } = finding()
  state.open.push(jobs.job(1), { ...jobs.job(2), more: false })
  await findJobs()
  const ahead = { takesRuns: false, ahead: true }
  expect(await finder.claim(ahead, (job) => started.push(job.judgementId))).not.toBeNull()
  expect(finder.mayFind).toBe(false)
  expect(state.said).toEqual([{ takesRuns: true, ahead: false }, ahead])
  expect(started).toHaveLength(2)
})

it('leaves a failing queue alone for a while and asks instead', async () => {
  const { state, findJobs } = finding()
  await findJobs()
  state.queueFails = true
  expect((await findJobs()).asked).toEqual(['pull 2'])
  state.now = 1_500
  expect((await findJobs()).asked).toEqual(['claim'])
  state.now = 20_000
  await findJobs()
  state.queueFails = false
  expect((await findJobs()).asked).toEqual(['pull 2'])
})

it('pauses longer after a quiet minute, and asks every one or two seconds while there are no tickets', async () => {
  const { state, findJobs } = finding()
  await findJobs()
  expect((await findJobs()).pauseMs).toBeLessThanOrEqual(240)
  state.now = 60_001
  await findJobs()
  expect((await findJobs()).pauseMs).toBeGreaterThanOrEqual(400)
  state.queueFails = true
  await findJobs()
  expect((await findJobs()).pauseMs).toBeGreaterThanOrEqual(800)
})

it('says what the runner holds before it asks again, when a claim got no answer', async () => {
  const { state, asked, findJobs } = finding()
  state.claimFails = new UnreachableError('cut')
  await expect(findJobs()).rejects.toThrow('cut')
  await expect(findJobs()).rejects.toThrow('cut')
  expect(asked).toEqual(['tell', 'claim'])
  state.claimFails = null
  expect((await findJobs()).asked).toEqual(['tell', 'claim'])
  expect((await findJobs()).asked).toEqual(['pull 2'])
})

it('does so too when a proxy answered in the server’s place, and says it at the end at the latest', async () => {
  const { state, asked, findJobs, finder } = finding()
  state.claimFails = new RefusedError(403, NOT_FROM_SERVER, 'no')
  await expect(findJobs()).rejects.toThrow('no')
  await finder.close(false)
  expect(asked).toEqual(['claim', 'tell'])
})

it('settles what was claimed before a claim that failed, and survives a queue that does not hear of it', async () => {
  const { state, asked, findJobs } = finding()
  await findJobs()
  state.tickets = [false, true, true]
  state.open.push(jobs.job(1))
  state.duringClaim = () => {
    if (asked.filter((what) => what === 'claim').length === 2)
      state.claimFails = new UnreachableError('cut')
  }
  state.acknowledgeFails = true
  await expect(findJobs(3)).rejects.toThrow('cut')
  expect(asked).toEqual(['pull 3', 'claim', 'claim', 'ack 2'])
})

it('says nothing more after a refusal, which is an answer', async () => {
  const { state, findJobs } = finding()
  state.claimFails = new RefusedError(401, 'bad_token', 'no')
  await expect(findJobs()).rejects.toThrow('no')
  state.claimFails = null
  expect((await findJobs()).asked).toEqual(['claim'])
})

it('closed: gives a hanging claim up, says what the runner holds, and claims no more', async () => {
  const { state, asked, finder, findJobs } = finding()
  state.claimHangs = true
  state.claimFails = new UnreachableError('given up')
  const looking = findJobs()
  await finder.close(false)
  await expect(looking).rejects.toThrow('given up')
  expect(asked).toEqual(['claim', 'tell'])
  state.claimFails = null
  await findJobs()
  expect(asked).not.toContain('claim')
})

it('closed without a claim under way: says nothing, unless a result may have brought a job', async () => {
  const { asked, finder, findJobs } = finding()
  await findJobs()
  await finder.close(false)
  expect(asked).toEqual(['claim'])
  await finder.close(true)
  expect(asked).toEqual(['claim', 'tell'])
})

it('woken by the server: says that it waits before it looks, and looks seldom', async () => {
  const { state, findJobs, wake } = finding({ isWoken: true })
  const first = await findJobs()
  expect(first.asked).toEqual(['waits', 'claim'])
  expect(first.pauseMs).toBeGreaterThanOrEqual(4_000)
  expect((await findJobs()).asked).toEqual(['pull 2'])
  state.now = 20_000
  expect((await findJobs()).asked).toEqual(['pull 2'])
  state.now = 60_000
  expect((await findJobs()).asked).toEqual(['claim'])
  wake()
  expect((await findJobs()).asked).toEqual(['waits', 'claim'])
  expect((await findJobs()).asked).toEqual(['pull 2'])
})

it('woken by the server, in the minute after a job: claims every ten seconds', async () => {
  const { state, findJobs } = finding({ isWoken: true })
  state.open.push({ ...jobs.job(1), more: false })
  await findJobs()
  state.now = 9_999
  expect((await findJobs()).asked).toEqual(['pull 2'])
  state.now = 10_000
  expect((await findJobs()).asked).toEqual(['claim'])
  state.now = 60_000
  expect((await findJobs()).asked).toEqual(['claim'])
  state.now = 119_999
  expect((await findJobs()).asked).toEqual(['pull 2'])
  state.now = 120_000
  expect((await findJobs()).asked).toEqual(['claim'])
})

it('woken by the server, without a queue: claims once a minute', async () => {
  const { state, findJobs } = finding({ isWoken: true, hasQueue: false })
  expect((await findJobs()).asked).toEqual(['waits', 'claim'])
  const idle = await findJobs()
  expect(idle.asked).toEqual([])
  expect(idle.pauseMs).toBeGreaterThanOrEqual(40_000)
  state.now = 60_000
  expect((await findJobs()).asked).toEqual(['claim'])
})

it('woken by the server, while the queue fails: leaves the queue alone for a while', async () => {
  const { state, findJobs } = finding({ isWoken: true })
  state.queueFails = true
  await findJobs()
  expect((await findJobs()).asked).toEqual(['pull 2'])
  const resting = await findJobs()
  expect(resting.asked).toEqual([])
  expect(resting.pauseMs).toBeLessThanOrEqual(25_000)
  state.now = 20_000
  expect((await findJobs()).asked).toEqual(['pull 2'])
})

it('woken while a claim is under way: claims again, because that one may have come too early', async () => {
  const { state, findJobs, wake } = finding({ isWoken: true })
  state.duringClaim = wake
  expect((await findJobs()).asked).toEqual(['waits', 'claim'])
  state.duringClaim = () => {}
  expect((await findJobs()).asked).toEqual(['waits', 'claim'])
  expect((await findJobs()).asked).toEqual(['pull 2'])
})

it('told to claim while a claim is under way: claims again, also without the server’s message', async () => {
  const { state, findJobs, wake } = finding()
  state.duringClaim = wake
  expect((await findJobs()).asked).toEqual(['claim'])
  state.duringClaim = () => {}
  expect((await findJobs()).asked).toEqual(['claim'])
  expect((await findJobs()).asked).toEqual(['pull 2'])
})

it('told to claim while it pulls tickets: claims at the next look', async () => {
  const { state, findJobs, wake } = finding()
  await findJobs()
  state.duringPull = wake
  expect((await findJobs()).asked).toEqual(['pull 2'])
  state.duringPull = () => {}
  expect((await findJobs()).asked).toEqual(['claim'])
  expect((await findJobs()).asked).toEqual(['pull 2'])
})

it('told to claim while a claim is under way that fails: claims again, once', async () => {
  const { state, findJobs, wake } = finding()
  state.duringClaim = wake
  state.claimFails = new RefusedError(500, 'internal', 'no')
  await expect(findJobs()).rejects.toThrow('no')
  state.claimFails = null
  state.duringClaim = () => {}
  expect((await findJobs()).asked).toEqual(['claim'])
  expect((await findJobs()).asked).toEqual(['pull 2'])
})

it('forgets of the jobs that were judged here all but the last thousand', async () => {
  const { state, findJobs, finder } = finding()
  const idOf = (id: number) => id.toString(16).padStart(24, '0')
  await findJobs()
  for (let id = 1; id <= 1_001; id += 1) finder.noteStored(idOf(id))
  state.tickets = [idOf(2), idOf(1)]
  expect((await findJobs()).asked).toEqual(['pull 2', 'claim', 'ack 2'])
})

it('settles the ticket of a job that was judged here without a claim, once', async () => {
  const { state, findJobs, finder } = finding()
  const { judgementId } = jobs.job(1)
  await findJobs()
  finder.noteStored(judgementId)
  state.tickets = [judgementId]
  expect((await findJobs()).asked).toEqual(['pull 2', 'ack 1'])
  state.tickets = [judgementId]
  expect((await findJobs()).asked).toEqual(['pull 2', 'claim', 'ack 1'])
})
