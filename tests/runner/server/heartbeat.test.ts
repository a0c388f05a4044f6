import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Heartbeat } from '#contract/judging'
import { HeartbeatLoop } from '../../../runner/server/heartbeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const NOW = { active: [], slots: 2, free: 2, load: 0 }
const INTRODUCTION = {
  version: '1.2.3',
  host: {
    hostname: 'h',
    kernel: 'k',
    cpu: 'c',
    cores: 2,
    memoryKb: 1,
    cgroup: 'v2' as const,
    languages: { c: 'gcc 12' },
  },
}
const FIRST = { ...NOW, ...INTRODUCTION, started: true }

/** A heartbeat and the events that it reported. It gets `answers` in turn, and then always `active`. */
function beating(...answers: ('active' | 'draining' | Error)[]) {
  const beats: Heartbeat[] = []
  const states: string[] = []
  const events: string[] = []
  const heartbeats = new HeartbeatLoop({
    server: {
      async heartbeat(beat) {
        beats.push(beat)
        const answer = answers.shift() ?? 'active'
        if (answer instanceof Error) throw answer
        return { state: answer }
      },
    },
    periodMs: 15_000,
    buildHeartbeat: () => NOW,
    introduction: INTRODUCTION,
    onAnswer: ({ state }) => states.push(state),
    log: (event) => events.push(event),
  })
  return { heartbeats, beats, states, events, over: heartbeats.run() }
}

it('only the first beat says that the runner has started', async () => {
  const { heartbeats, beats, over } = beating()
  await vi.advanceTimersByTimeAsync(15_000)
  expect(beats).toEqual([FIRST, NOW])
  heartbeats.stop()
  await over
})

it('beats say so until the server has heard one', async () => {
  const { heartbeats, beats, over } = beating(new Error('down'), new Error('down'))
  await vi.advanceTimersByTimeAsync(20_000)
  expect(beats.slice(0, 4)).toEqual([FIRST, FIRST, FIRST, NOW])
  heartbeats.stop()
  await over
})

it('a beat that failed is made good long before the next, with one line in the log', async () => {
  const { heartbeats, beats, events, over } = beating(
    'active',
    new Error('down'),
    new Error('down'),
  )
  await vi.advanceTimersByTimeAsync(15_000 + 3_000)
  expect(beats).toHaveLength(4)
  expect(events).toEqual(['heartbeat_failed', 'heartbeat_back'])
  heartbeats.stop()
  await over
})

it('every answer is passed on', async () => {
  const { heartbeats, states, over } = beating('active', 'draining')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(states).toEqual(['active', 'draining', 'active'])
  heartbeats.stop()
  await over
})

it('a beat in between says that what it names is all, and its answer is passed on', async () => {
  const { heartbeats, beats, states, over } = beating()
  await vi.advanceTimersByTimeAsync(0)
  await heartbeats.reportActiveJobs()
  expect(beats).toEqual([FIRST, FIRST])
  expect(states).toEqual(['active', 'active'])
  heartbeats.stop()
  await over
})

it('a beat in between that fails says so', async () => {
  const { heartbeats, over } = beating('active', new Error('down'))
  await vi.advanceTimersByTimeAsync(0)
  await expect(heartbeats.reportActiveJobs()).rejects.toThrow('down')
  heartbeats.stop()
  await over
})
