/**
 * A fair queue for work that holds the isolate's only thread. Groups (a browser, a network, a person) take
 * turns, so a group with much work delays another by one piece at most. Other calls run in the rests
 * between turns.
 */
import { HASHING } from '#contract/limits'

interface Waiter {
  group: string
  /** When it last asked for its turn. The waiter of a caller who hung up stops asking and never leaves by itself. */
  seenMs: number
  /** Whether its `before` is done. */
  isReady: boolean
}

/** In order of arrival. */
const waiters = new Set<Waiter>()
/** The number of each group's last turn; forgotten when nobody waits. */
const lastTurns = new Map<string, number>()
/** Groups that rest longer, and until when, in ms. */
const groupRests = new Map<string, number>()
let turns = 0
let restUntilMs = 0

/** Too many waiters of this group. */
export class TooManyWaiting extends Error {}

/** The next waiter: the first to arrive of the group whose last turn is longest ago. */
function nextWaiter(): Waiter | undefined {
  let best: Waiter | undefined
  for (const waiter of waiters) {
    if (!waiter.isReady || groupRests.has(waiter.group)) continue
    if (!best || (lastTurns.get(waiter.group) ?? 0) < (lastTurns.get(best.group) ?? 0))
      best = waiter
  }
  return best
}

/** The waiters of a group, in order of arrival. */
function waitersOf(group: string): Waiter[] {
  return [...waiters].filter((waiter) => waiter.group === group)
}

/** Forgets waiters whose caller hung up, and rests that are over. */
function forgetStale(nowMs: number): void {
  for (const waiter of waiters) if (nowMs - waiter.seenMs > HASHING.lostMs) waiters.delete(waiter)
  for (const [group, untilMs] of groupRests) if (nowMs >= untilMs) groupRests.delete(group)
}

/** Waits until a condition holds for a waiter. */
async function waitUntil(own: Waiter, isSo: () => boolean): Promise<void> {
  for (;;) {
    own.seenMs = Date.now()
    waiters.add(own)
    forgetStale(own.seenMs)
    if (isSo()) return
    await new Promise((resolve) => setTimeout(resolve, HASHING.pollMs))
  }
}

/**
 * Does a piece of work when it is the group's turn. Work that returns `false` makes its group rest longer.
 * @param group e.g. `user:17`
 * @param before runs as the first of the group, while others have their turns; if it throws, the turn is
 * given up
 * @throws TooManyWaiting
 */
export async function inTurn<T>(
  group: string,
  work: () => Promise<T>,
  before?: () => Promise<void>,
): Promise<T> {
  forgetStale(Date.now())
  if (waitersOf(group).length >= HASHING.waiting) throw new TooManyWaiting()
  const own = { group, seenMs: 0, isReady: before === undefined }
  try {
    if (before) {
      await waitUntil(own, () => waitersOf(group)[0] === own)
      await before()
      own.isReady = true
    }
    await waitUntil(own, () => Date.now() >= restUntilMs && nextWaiter() === own)
  } finally {
    waiters.delete(own)
  }
  if (waiters.size === 0) lastTurns.clear()
  turns += 1
  lastTurns.set(group, turns)
  try {
    const result = await work()
    if (result === false) groupRests.set(group, Date.now() + HASHING.vainRestMs)
    return result
  } finally {
    restUntilMs = Date.now() + HASHING.restMs
  }
}
