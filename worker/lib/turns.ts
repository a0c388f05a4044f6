/**
 * Turns at what holds the one thread of an isolate. The groups that wait (a browser, a network, a person) take turns, so
 * that who asks for much delays who asks for little by one piece of work at most; other calls run in the rests.
 */
import { HASHING } from '#contract/limits'

interface Waiter {
  group: string
  /** When it last asked whether it is its turn. A call whose caller has hung up goes on no more and never leaves. */
  seenMs: number
  /** Whether it has done what comes before its turn. */
  isReady: boolean
}

/** In order of arrival. */
const waiters = new Set<Waiter>()
/** When each group had its last turn, as a count of turns; forgotten when nobody waits. */
const lastTurns = new Map<string, number>()
/** Groups that rest longer, and until when. */
const groupRests = new Map<string, number>()
let turns = 0
let restUntilMs = 0

/** Too many of a group wait already. */
export class TooManyWaiting extends Error {}

/** Who is next: of the group whose last turn is longest ago, the first that came. */
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

/** Forgets who has hung up, and rests that are over. */
function forgetStale(nowMs: number): void {
  for (const waiter of waiters) if (nowMs - waiter.seenMs > HASHING.lostMs) waiters.delete(waiter)
  for (const [group, untilMs] of groupRests) if (nowMs >= untilMs) groupRests.delete(group)
}

/** Waits until something is so of a waiter. */
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
 * Does a piece of work when it is the group's turn. After work in vain, which answers `false`, its group rests longer.
 * @param group e.g. `user:17`
 * @param before what to do as the first of the group, while others have their turns; what it throws gives up the turn
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
