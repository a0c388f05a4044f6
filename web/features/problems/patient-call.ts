/** Retries calls that the API limits (429), after its `Retry-After`. */
import { isLimited } from '../../lib/api-error.ts'

/** The most seconds a call waits in all; then its refusal is shown. */
const MOST_WAITING_SECONDS = 300

/** Called with the seconds a call waits, and with null when it goes on. */
export type OnWait = (seconds: number | null) => void

/**
 * How long to wait before the next try.
 * @param waitedSeconds how long the call has waited already
 * @returns null: not at all, the error is final
 */
export function secondsToWait(error: unknown, waitedSeconds: number): number | null {
  if (!isLimited(error) || error.retryAfterSeconds === null) return null
  // Wait at least a second, whatever the API says.
  const seconds = Math.max(1, error.retryAfterSeconds)
  return waitedSeconds + seconds <= MOST_WAITING_SECONDS ? seconds : null
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** Makes a call, and repeats it while the API limits it. */
export async function whenTaken<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  onWait: OnWait,
  waitedSeconds = 0,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const seconds = secondsToWait(error, waitedSeconds)
    if (seconds === null) throw error
    onWait(seconds)
    await pause(seconds * 1_000, signal).finally(() => onWait(null))
    return whenTaken(call, signal, onWait, waitedSeconds + seconds)
  }
}
