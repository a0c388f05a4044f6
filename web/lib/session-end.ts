/** Whether the session ended while somebody was at work: the page stays as it is until they are back. */
import { useSyncExternalStore } from 'react'

let ended = false
const listeners = new Set<() => void>()

/** Says that the session has ended, or that somebody has dealt with it. */
export function noteSessionEnd(value: boolean): void {
  if (ended === value) return
  ended = value
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Follows it. */
export function useSessionEnd(): boolean {
  return useSyncExternalStore(subscribe, () => ended)
}
