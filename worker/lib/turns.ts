/**
 * Turns at what holds the one thread of an isolate. The groups that wait (a browser, a network, a person) take turns, so
 * that who asks for much delays who asks for little by one piece of work at most; other calls run in the rests.
 */
import { HASHING } from '#contract/limits'

interface Waiter {
  group: string
  /** When it last asked whether it is its turn. A call whose caller has hung up goes on no more and never leaves. */
  seenMs: number
}

/** In order of arrival. */
const waiters = new Set<Waiter>()
/** When each group had its last turn, as a count of turns; forgotten when nobody waits. */
const lastTurns = new Map<string, number>()
let turns = 0
let restUntilMs = 0

/** Too many of a group wait already. */
export class TooManyWaiting extends Error {}

/** Who is next: of the group whose last turn is longest ago, the first that came. */
function nextWaiter(): Waiter | undefined {
  let best: Waiter | undefined
  for (const waiter of waiters)
    if (!best || (lastTurns.get(waiter.group) ?? 0) < (lastTurns.get(best.group) ?? 0))
      best = waiter
  return best
}

/** Forgets who has hung up. */
function dropLost(nowMs: number): void {
  for (const waiter of waiters) if (nowMs - waiter.seenMs > HASHING.lostMs) waiters.delete(waiter)
}

/** Waits until it is this waiter's turn. */
async function waitForTurn(own: Waiter): Promise<void> {
  for (;;) {
    own.seenMs = Date.now()
    waiters.add(own)
    dropLost(own.seenMs)
    if (own.seenMs >= restUntilMs && nextWaiter() === own) return
    await new Promise((resolve) => setTimeout(resolve, HASHING.pollMs))
  }
}

/**
 * Does a piece of work when it is the group's turn.
 * @param group e.g. `user:17`
 * @throws TooManyWaiting
 */
export async function inTurn<T>(group: string, work: () => Promise<T>): Promise<T> {
  dropLost(Date.now())
  if ([...waiters].filter((waiter) => waiter.group === group).length >= HASHING.waiting)
    throw new TooManyWaiting()
  const own = { group, seenMs: 0 }
  await waitForTurn(own)
  waiters.delete(own)
  if (waiters.size === 0) lastTurns.clear()
  turns += 1
  lastTurns.set(group, turns)
  try {
    return await work()
  } finally {
    restUntilMs = Date.now() + HASHING.restMs
  }
}
