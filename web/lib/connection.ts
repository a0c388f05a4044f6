/** What the shell shows about the server: the toast for its failures and the banner while it cannot be reached. */

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

/** Called for every answer that came. */
export function noteAnswer(status: number): void {
  update({ offline: false, failures: state.failures + (status >= 500 ? 1 : 0) })
}

/** Called when no answer came. */
export function noteNoAnswer(): void {
  update({ ...state, offline: true })
}

/** The current state; the same object until it changes. */
export function connectionState(): ConnectionState {
  return state
}

/** Calls back on every change; returns the way to stop. */
export function onConnectionChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Follows what the browser itself knows about the network. */
export function watchBrowserConnection(): void {
  window.addEventListener('offline', () => update({ ...state, offline: true }))
  window.addEventListener('online', () => update({ ...state, offline: false }))
  if (!navigator.onLine) update({ ...state, offline: true })
}
