/**
 * Limits how many calls of one caller are at work at once, so that a burst of one delays everybody else by a few calls
 * instead of by all. Those that wait look every now and then, because a Worker's request cannot be woken by another.
 */
import { CONCURRENCY } from '#contract/limits'

/** A call that waits or is at work. */
interface Call {
  sinceMs: number
}

/** The calls of each caller, in order of arrival. */
const lines = new Map<string, Set<Call>>()

/** Whether a call no longer counts: it takes long, or its caller hung up, and then it never leaves by itself. */
function isStale(call: Call, nowMs: number): boolean {
  return nowMs - call.sinceMs >= CONCURRENCY.staleMs
}

/** Forgets the callers who came first, as far as only stale calls of theirs are left. */
function forgetCallers(nowMs: number): void {
  for (const [caller, line] of lines) {
    if ([...line].some((call) => !isStale(call, nowMs))) return
    lines.delete(caller)
  }
}

/** Whether fewer than may be at work at once are before a call. */
function isNext(own: Call, line: Set<Call>, nowMs: number): boolean {
  let before = 0
  for (const call of line) {
    if (call === own) return true
    if (isStale(call, nowMs)) line.delete(call)
    else before += 1
    if (before >= CONCURRENCY.perCaller) return false
  }
  return true
}

/**
 * Does work once few enough calls of the same caller are before it.
 * @param caller e.g. a session's token
 */
export async function limitConcurrency(caller: string, work: () => Promise<void>): Promise<void> {
  const own = { sinceMs: Date.now() }
  forgetCallers(own.sinceMs)
  const line = lines.get(caller) ?? new Set<Call>()
  lines.set(caller, line.add(own))
  try {
    while (!isNext(own, line, Date.now()))
      await new Promise((resolve) => setTimeout(resolve, CONCURRENCY.pollMs))
    await work()
  } finally {
    line.delete(own)
    if (line.size === 0 && lines.get(caller) === line) lines.delete(caller)
  }
}
