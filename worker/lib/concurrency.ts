/**
 * Limits how many calls of one caller are at work at once, so that a burst of one delays everybody else by a few calls
 * instead of by all. Those that wait look every now and then, because a Worker's request cannot be woken by another.
 */
import { TooManyWaiting } from './fair-queue.ts'

/**
 * Calls of one session or token that are looked up, writing calls of one person, calls of one judge host: `perCaller` are at work at
 * once, `waiting` more wait, and others are to come again after `fullMs`. Reads that look through much have a line of their own:
 * `readsPerPerson` at once. Each that waits looks again after `pollMs` for every such group before it, and after `longestPollMs` at
 * most. One that has not looked for `silentMs` more, or is at work for more than `workMs` and none of its body comes, no longer
 * counts: its caller may have hung up.
 */
export const CONCURRENCY = {
  perCaller: 4,
  readsPerPerson: 2,
  waiting: 256,
  fullMs: 1_000,
  pollMs: 10,
  longestPollMs: 100,
  silentMs: 250,
  workMs: 5_000,
} as const

/** A call that waits or is at work. */
interface Call {
  /** When it last looked. */
  seenMs: number
  /** Once it is at work: until when it counts. */
  untilMs: number | null
}

/** The calls of each caller, in order of arrival; the callers in order of when one of their calls last came or went on. */
const queues = new Map<string, Set<Call>>()
/** When anybody last looked. After a long time the thread was held: those who wait could not look either. */
let lastPollMs = 0
let patientUntilMs = 0

/** Notes that a call looks, and gives the others time where the thread was held. */
function notePoll(nowMs: number): void {
  const { silentMs, longestPollMs } = CONCURRENCY
  if (nowMs - lastPollMs > silentMs) patientUntilMs = nowMs + longestPollMs
  lastPollMs = nowMs
}

/** Whether a call no longer counts. One whose caller hung up never leaves by itself. */
function isGone({ seenMs, untilMs }: Call, nowMs: number): boolean {
  const { silentMs, longestPollMs } = CONCURRENCY
  if (untilMs !== null) return nowMs > untilMs
  return nowMs - seenMs > longestPollMs + silentMs && nowMs > patientUntilMs
}

/** How many calls of a queue are before one, or are there at all. Forgets those that no longer count. */
function countBefore(own: Call | null, queue: Set<Call>, nowMs: number): number {
  let count = 0
  for (const call of queue) {
    if (call === own) break
    if (isGone(call, nowMs)) queue.delete(call)
    else count += 1
  }
  return count
}

/** Puts a caller last, and forgets those who are gone, from the first on. */
function arrive(caller: string, nowMs: number): Set<Call> {
  const queue = queues.get(caller) ?? new Set<Call>()
  queues.delete(caller)
  for (const [other, calls] of queues) {
    if (countBefore(null, calls, nowMs) > 0) break
    queues.delete(other)
  }
  queues.set(caller, queue)
  return queue
}

/** How many callers have calls that wait, are at work, or may be. */
export function countCallers(): number {
  return queues.size
}

/**
 * Does work once few enough calls of the same caller are before it.
 * @param caller e.g. a session
 * @param work may set for how long it still counts, in ms, e.g. because it waits for its caller
 * @param atOnce how many of them may be at work
 * @throws TooManyWaiting
 */
export async function limitConcurrency(
  caller: string,
  work: (expireIn: (forMs: number) => void) => Promise<void>,
  atOnce: number = CONCURRENCY.perCaller,
): Promise<void> {
  const { waiting, fullMs, pollMs, longestPollMs, workMs } = CONCURRENCY
  const own: Call = { seenMs: Date.now(), untilMs: null }
  notePoll(own.seenMs)
  if (countBefore(null, arrive(caller, own.seenMs), own.seenMs) >= atOnce + waiting)
    throw new TooManyWaiting(fullMs)
  try {
    for (;;) {
      own.seenMs = Date.now()
      notePoll(own.seenMs)
      // Others may have forgotten the queue meanwhile.
      const queue = queues.get(caller) ?? arrive(caller, own.seenMs)
      queue.add(own)
      const before = countBefore(own, queue, own.seenMs)
      if (before < atOnce) break
      const pauseMs = Math.min(Math.floor(before / atOnce) * pollMs, longestPollMs)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    own.untilMs = own.seenMs + workMs
    await work((forMs) => {
      const nowMs = Date.now()
      own.untilMs = nowMs + forMs
      arrive(caller, nowMs).add(own)
    })
  } finally {
    const queue = queues.get(caller)
    queue?.delete(own)
    if (queue?.size === 0) queues.delete(caller)
  }
}
