import { useSyncExternalStore } from 'react'
import { serverNowMs } from './server-clock.ts'

/** One clock for the whole app, so that countdowns and "5 minutes ago" stay current. */
const TICK_MS = 10_000

let now = serverNowMs()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = serverNowMs()
    timer = setInterval(() => {
      now = serverNowMs()
      for (const tell of listeners) tell()
    }, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Epoch milliseconds of the server, renewed every ten seconds. */
export function useServerNow(): number {
  const get = () => now
  return useSyncExternalStore(subscribe, get, get)
}
