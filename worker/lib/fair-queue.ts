/**
 * A fair queue for work that holds the isolate's only thread. Groups (a browser, a network, a person) take
 * turns, so a group with much work delays another by one turn at most. A turn is work in pieces. After each
 * piece the thread is free for other calls for as long as the piece held it.
 */

/**
 * Hashing a password takes 0.2 s of the isolate's only thread, so callers take turns. A hash has pieces, and
 * after each the thread is free for other calls for as long as the piece held it. A browser or site has at most
 * `waiting` in the queue. A refused one is told when to come again: the first after `fullMs`, when a full queue is not
 * yet empty, each other one a turn later, but none after more than `longestMs`. A turn counts by `newestShare` in the mean
 * of all. Callers ask every `pollMs`; one silent for `silentMs` has no place until it asks again, and one silent for `lostMs` is
 * forgotten. After a wrong password its browser or site rests for `failureCooldownMs`, so that guesses use a fifth of the thread.
 */
export const HASHING = {
  failureCooldownMs: 500,
  pollMs: 10,
  silentMs: 250,
  lostMs: 1_000,
  waiting: 64,
  fullMs: 10_000,
  longestMs: 30_000,
  newestShare: 0.2,
} as const

interface Waiter {
  group: string
  /** When it last asked for the thread. The waiter of a caller who hung up stops asking and never leaves by itself. */
  seenMs: number
  /** Whether its `before` is done. */
  isReady: boolean
  /** Whether it is its turn. */
  hasBegun: boolean
}

/** In order of arrival. */
const waiters = new Set<Waiter>()
/** The number of each group's last turn; forgotten when nobody waits. */
const lastTurns = new Map<string, number>()
/** Groups that have to wait, and until when, in ms. */
const groupCooldowns = new Map<string, number>()
/** When the last refused one of each group is to try again, in ms. */
const retryTimes = new Map<string, number>()
let turnCount = 0
/** What a turn takes, in ms: a running mean. */
let turnMs = 0
/** When the last piece began, until somebody has looked at the clock after it. */
let pieceBeganMs: number | null = null
let restUntilMs = 0

/**
 * Runs a piece of work once the thread is free for it, and gives the thread back for as long as the piece held
 * it. Nothing else runs while a piece does.
 */
export type RunExclusive = <T>(piece: () => Promise<T>) => Promise<T>

/** Too many waiters of this group. */
export class TooManyWaiting extends Error {
  /** After how many ms there should be a place. */
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('too many wait')
    this.retryAfterMs = retryAfterMs
  }
}

/** The waiters that still ask, in order of arrival. Who has hung up has no place, and nobody waits behind it. */
function presentWaiters(nowMs: number): Waiter[] {
  return [...waiters].filter(({ seenMs }) => nowMs - seenMs <= HASHING.silentMs)
}

/**
 * The next waiter: the one whose turn it is, or the first to arrive of the group whose last turn is longest
 * ago.
 */
function nextWaiter(nowMs: number): Waiter | undefined {
  let best: Waiter | undefined
  for (const waiter of presentWaiters(nowMs)) {
    if (waiter.hasBegun) return waiter
    if (!waiter.isReady || groupCooldowns.has(waiter.group)) continue
    if (!best || (lastTurns.get(waiter.group) ?? 0) < (lastTurns.get(best.group) ?? 0))
      best = waiter
  }
  return best
}

/** The waiters of a group, in order of arrival. */
function waitersOf(group: string, nowMs: number): Waiter[] {
  return presentWaiters(nowMs).filter((waiter) => waiter.group === group)
}

/** Forgets waiters whose caller hung up, and cooldowns and retry times that are over. */
function forgetStale(nowMs: number): void {
  for (const waiter of waiters) if (nowMs - waiter.seenMs > HASHING.lostMs) waiters.delete(waiter)
  for (const times of [groupCooldowns, retryTimes])
    for (const [group, atMs] of times) if (nowMs >= atMs) times.delete(group)
}

/** After how many ms the next refused one of a group is to come: one turn of each group after the one before. */
function scheduleRetry(group: string, nowMs: number): number {
  const groups = new Set(presentWaiters(nowMs).map((waiter) => waiter.group)).size
  const before = retryTimes.get(group) ?? nowMs + HASHING.fullMs
  const atMs = Math.min(before + groups * turnMs, nowMs + HASHING.longestMs)
  retryTimes.set(group, atMs)
  return atMs - nowMs
}

/** Whether anybody has a turn or waits for one. */
export function isQueued(): boolean {
  return presentWaiters(Date.now()).length > 0
}

/**
 * Whether the thread has rested from the last piece. Asked after a timer or at a call's arrival: the platform's
 * clock stands still while a piece holds the thread.
 */
function isRested(nowMs: number): boolean {
  // Whoever hung up in a piece has not looked at the clock after it, so that a next caller may have come much later.
  if (pieceBeganMs !== null) restUntilMs = nowMs + Math.min(nowMs - pieceBeganMs, HASHING.silentMs)
  pieceBeganMs = null
  return nowMs >= restUntilMs
}

/** A timer: other calls go on, and the clock is right again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits until a condition holds for a waiter. */
async function waitUntil(own: Waiter, isSo: (nowMs: number) => boolean): Promise<void> {
  for (;;) {
    const nowMs = Date.now()
    own.seenMs = nowMs
    waiters.add(own)
    forgetStale(nowMs)
    if (isSo(nowMs)) return
    await pause(HASHING.pollMs)
  }
}

/** Does what needs no thread, and asks on meanwhile: a caller that hangs up falls silent. */
async function whileAsking(own: Waiter, work: () => Promise<void>): Promise<void> {
  const asking = setInterval(() => (own.seenMs = Date.now()), HASHING.pollMs)
  try {
    await work()
  } finally {
    clearInterval(asking)
  }
}

/** @throws TooManyWaiting where a group has no place for another */
export function demandCapacity(group: string): void {
  const nowMs = Date.now()
  forgetStale(nowMs)
  if (waitersOf(group, nowMs).length >= HASHING.waiting)
    throw new TooManyWaiting(scheduleRetry(group, nowMs))
}

/**
 * Does work when it is the group's turn. Work that returns `false` makes its group wait for `HASHING.failureCooldownMs`.
 * @param group e.g. `user:17`
 * @param work hands each of its pieces to `runExclusive`
 * @param before runs as the first of the group, while others have their turns; if it throws, the turn is
 * given up
 * @throws TooManyWaiting
 */
export async function enqueue<T>(
  group: string,
  work: (runExclusive: RunExclusive) => Promise<T>,
  before?: () => Promise<void>,
): Promise<T> {
  demandCapacity(group)
  const own = { group, seenMs: 0, isReady: before === undefined, hasBegun: false }
  const untilFree = () => waitUntil(own, (nowMs) => isRested(nowMs) && nextWaiter(nowMs) === own)
  const runExclusive: RunExclusive = async (piece) => {
    await untilFree()
    pieceBeganMs = Date.now()
    const result = await piece()
    // After the last piece, too: work in one piece then takes as long as the same work in many.
    await pause(0)
    await waitUntil(own, isRested)
    return result
  }
  try {
    if (before) {
      await waitUntil(
        own,
        (nowMs) => waitersOf(group, nowMs).find(({ hasBegun }) => !hasBegun) === own,
      )
      await whileAsking(own, before)
      own.isReady = true
    }
    await untilFree()
    own.hasBegun = true
    const begunMs = Date.now()
    turnCount += 1
    lastTurns.set(group, turnCount)
    const result = await work(runExclusive)
    const nowMs = Date.now()
    const cooldownMs = result === false ? HASHING.failureCooldownMs : 0
    turnMs += (nowMs - begunMs + cooldownMs - turnMs) * (turnMs === 0 ? 1 : HASHING.newestShare)
    if (cooldownMs > 0) groupCooldowns.set(group, nowMs + cooldownMs)
    return result
  } finally {
    waiters.delete(own)
    if (waiters.size === 0) lastTurns.clear()
  }
}
