/** The state of the connection: the layout shows a toast for failures, and a banner while offline. */

type Listener = () => void

interface ConnectionState {
  offline: boolean
  /** Counts answers with status ≥ 500; each one raises the toast anew. */
  failures: number
}

let state: ConnectionState = { offline: false, failures: 0 }
const listeners = new Set<Listener>()

function update(next: ConnectionState): void {
  if (next.offline === state.offline && next.failures === state.failures) return
  state = next
  for (const listener of listeners) listener()
}

/** When the last call failed. Late answers to earlier calls prove nothing. */
let lostAtMs = Number.NEGATIVE_INFINITY

/**
 * Called for every answer that came.
 * @param sentAtMs when its call was made, by `performance.now()`
 */
export function noteAnswer(status: number, sentAtMs: number): void {
  const offline = state.offline && sentAtMs < lostAtMs
  update({ offline, failures: state.failures + (status >= 500 ? 1 : 0) })
}

/** Called when no answer came. */
export function noteNoAnswer(): void {
  lostAtMs = performance.now()
  update({ ...state, offline: true })
}

/** The current state; the same object until it changes. */
export function connectionState(): ConnectionState {
  return state
}

/** Subscribes to changes. @returns the unsubscribe function */
export function onConnectionChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Watches the browser's own network events. */
export function watchBrowserConnection(): void {
  window.addEventListener('offline', noteNoAnswer)
  window.addEventListener('online', () => update({ ...state, offline: false }))
  if (!navigator.onLine) update({ ...state, offline: true })
}
