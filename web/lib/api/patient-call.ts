/** Repeats calls that are put off: after the API's `Retry-After`, or after growing pauses. */
import { ApiError, isLimited, isTransient } from './api-error.ts'

/** A call waits at most this many seconds in all; then its refusal is shown. */
export const MOST_WAITING_SECONDS = 300
/** The longest pause that the API has not asked for, in seconds. */
const LONGEST_PAUSE_SECONDS = 30

/** Called with how long a call waits, in seconds, and why; called with null when the call goes on. */
export type OnWait = (seconds: number | null, error?: unknown) => void

/** After how many seconds a failed call is made again; null: its failure is final. @param failures how many there were, from 1 */
type Patience = (error: unknown, failures: number) => number | null

/** Adds up to half as long at random, so that callers who were put off together do not come back together. */
function scattered(seconds: number): number {
  return seconds * (1 + Math.random() / 2)
}

/** Waits after a call that the API limits (429), as long as the API says. */
export const whileLimited: Patience = (error) => (isLimited(error) ? error.retryAfterSeconds : null)

/** Like `whileLimited`, but with scattered pauses, for calls that a whole room makes at once. */
export const whileCrowded: Patience = (error) => {
  const told = whileLimited(error, 1)
  return told === null ? null : scattered(told)
}

/** Waits for a busy server and a lost connection, too. Use it only for calls that the server may get twice. */
export const whileBusy: Patience = (error, failures) => {
  if (!(error instanceof ApiError) || !isTransient(error)) return whileCrowded(error, failures)
  const pause = Math.min(LONGEST_PAUSE_SECONDS, 2 ** (failures - 1))
  return scattered(error.retryAfterSeconds ?? pause)
}

/**
 * How long to wait before the next try, at least a second.
 * @param wanted the seconds that the call's `Patience` gives
 * @param waitedSeconds how long the call has waited already
 * @returns null if the error is final
 */
export function secondsToWait(wanted: number | null, waitedSeconds: number): number | null {
  if (wanted === null) return null
  const seconds = Math.max(1, wanted)
  return waitedSeconds + seconds <= MOST_WAITING_SECONDS ? seconds : null
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

interface Waiting {
  signal: AbortSignal
  onWait?: OnWait
  patience?: Patience
}

/** Makes a call, and repeats it while its `Patience` allows another try. */
export async function callWithRetries<T>(
  call: () => Promise<T>,
  { signal, onWait = () => {}, patience = whileLimited }: Waiting,
): Promise<T> {
  let waitedSeconds = 0
  for (let failures = 1; ; failures += 1) {
    try {
      return await call()
    } catch (error) {
      const seconds = secondsToWait(patience(error, failures), waitedSeconds)
      if (seconds === null) throw error
      onWait(Math.ceil(seconds), error)
      await pause(seconds * 1_000, signal).finally(() => onWait(null))
      waitedSeconds += seconds
    }
  }
}
