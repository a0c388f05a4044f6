/** The state of the connection: the layout shows a toast for failures, and a banner while offline. */
import { createStore } from './store.ts'

interface ConnectionState {
  offline: boolean
  /** Counts answers with status ≥ 500; each one raises the toast anew. */
  failures: number
}

/** The state, read by the layout. */
export const connection = createStore<ConnectionState>({ offline: false, failures: 0 })

function update(change: Partial<ConnectionState>): void {
  const state = connection.get()
  const next = { ...state, ...change }
  if (next.offline !== state.offline || next.failures !== state.failures) connection.set(next)
}

/** When the last call failed. Late answers to earlier calls prove nothing. */
let lostAtMs = Number.NEGATIVE_INFINITY

/**
 * Called for every answer that came.
 * @param sentAtMs when its call was made, by `performance.now()`
 */
export function noteAnswer(status: number, sentAtMs: number): void {
  const { offline, failures } = connection.get()
  update({ offline: offline && sentAtMs < lostAtMs, failures: failures + (status >= 500 ? 1 : 0) })
}

/** Called when no answer came. */
export function noteNoAnswer(): void {
  lostAtMs = performance.now()
  update({ offline: true })
}

/** Watches the browser's own network events. */
export function watchBrowserConnection(): void {
  window.addEventListener('offline', noteNoAnswer)
  window.addEventListener('online', () => update({ offline: false }))
  if (!navigator.onLine) update({ offline: true })
}
