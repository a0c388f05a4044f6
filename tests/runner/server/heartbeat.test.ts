import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Heartbeat } from '#contract/judging'
import { Heart } from '../../../runner/server/heartbeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const NEWS = { active: [], slots: 2, free: 2, load: 0 }
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
const FIRST = { ...NEWS, ...INTRODUCTION, started: true }

/** A heart and what it said; `answers` are taken in turn, then always `active`. */
function beating(...answers: ('active' | 'draining' | Error)[]) {
  const beats: Heartbeat[] = []
  const states: string[] = []
  const events: string[] = []
  const heart = new Heart({
    source: {
      async heartbeat(beat) {
        beats.push(beat)
        const answer = answers.shift() ?? 'active'
        if (answer instanceof Error) throw answer
        return answer
      },
    },
    periodMs: 15_000,
    news: () => NEWS,
    introduction: INTRODUCTION,
    onState: (state) => states.push(state),
    log: (event) => events.push(event),
  })
  return { heart, beats, states, events, over: heart.run() }
}

it('only the first beat says that the runner has started', async () => {
  const { heart, beats, over } = beating()
  await vi.advanceTimersByTimeAsync(15_000)
  expect(beats).toEqual([FIRST, NEWS])
  heart.stop()
  await over
})

it('beats say so until the server has heard one', async () => {
  const { heart, beats, over } = beating(new Error('down'), new Error('down'))
  await vi.advanceTimersByTimeAsync(20_000)
  expect(beats.slice(0, 4)).toEqual([FIRST, FIRST, FIRST, NEWS])
  heart.stop()
  await over
})

it('a beat that failed is made good long before the next, with one line in the log', async () => {
  const { heart, beats, events, over } = beating('active', new Error('down'), new Error('down'))
  await vi.advanceTimersByTimeAsync(15_000 + 3_000)
  expect(beats).toHaveLength(4)
  expect(events).toEqual(['heartbeat_failed', 'heartbeat_back'])
  heart.stop()
  await over
})

it('every answer is passed on', async () => {
  const { heart, states, over } = beating('active', 'draining')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(states).toEqual(['active', 'draining', 'active'])
  heart.stop()
  await over
})
