/**
 * The queue of callers who need a password hashed. Hashing blocks an isolate's one thread, so one caller hashes at a time. Networks take
 * turns, and a network's callers go in order of arrival, so that a network with many callers delays another one by a single
 * hash. Each isolate has its own queue.
 */

/**
 * `waiting`: the most callers of one network that wait; a further one is told to try again after `retryMs`. A caller shows every `beatMs`
 * that it is still there. A caller that is silent for `silentMs`, e.g. after hanging up, is passed over; after ten times as
 * long it is forgotten.
 */
export const HASH_QUEUE = { waiting: 64, retryMs: 10_000, beatMs: 20, silentMs: 500 } as const

interface Caller {
  network: string
  seenMs: number
}

/** Too many callers of this network wait. */
export class TooManyWaiting extends Error {
  readonly retryAfterMs: number = HASH_QUEUE.retryMs
}

/** The waiting callers, in order of arrival. */
const waiting = new Set<Caller>()
let atWork: Caller | undefined
/** The number of each network's last turn; forgotten when nobody waits. */
const lastTurns = new Map<string, number>()
let turns = 0

function present(): Caller[] {
  return [...waiting].filter(({ seenMs }) => Date.now() - seenMs <= HASH_QUEUE.silentMs)
}

/** Decides who is next, unless somebody is at work. */
function chooseNext(): void {
  if (atWork && Date.now() - atWork.seenMs <= HASH_QUEUE.silentMs) return
  const turnOf = ({ network }: Caller) => lastTurns.get(network) ?? 0
  // The sort is stable: of one network, the first to arrive stays first.
  atWork = present().toSorted((left, right) => turnOf(left) - turnOf(right))[0]
  if (!atWork) return lastTurns.clear()
  waiting.delete(atWork)
  lastTurns.set(atWork.network, (turns += 1))
}

/** Whether anybody waits. */
export function isQueued(): boolean {
  return present().length > 0
}

/** @throws TooManyWaiting when a network already has the most callers that may wait */
export function demandHashingCapacity(network: string): void {
  for (const each of waiting)
    if (Date.now() - each.seenMs > 10 * HASH_QUEUE.silentMs) waiting.delete(each)
  if (present().filter((each) => each.network === network).length >= HASH_QUEUE.waiting)
    throw new TooManyWaiting('too many wait')
}

/** Does work when it is the caller's turn. @param network or another key that takes turns, e.g. `user:17` @throws TooManyWaiting */
export async function inTurn<T>(network: string, work: () => Promise<T>): Promise<T> {
  demandHashingCapacity(network)
  const own: Caller = { network, seenMs: 0 }
  waiting.add(own)
  let beat: ReturnType<typeof setInterval> | undefined
  try {
    // Checks again and again, because no request can wake another. When a caller hangs up, its timers end.
    for (;;) {
      own.seenMs = Date.now()
      chooseNext()
      if (atWork === own) break
      await new Promise((resolve) => setTimeout(resolve, HASH_QUEUE.beatMs))
    }
    beat = setInterval(() => (own.seenMs = Date.now()), HASH_QUEUE.beatMs)
    return await work()
  } finally {
    clearInterval(beat)
    waiting.delete(own)
    if (atWork === own) atWork = undefined
  }
}
