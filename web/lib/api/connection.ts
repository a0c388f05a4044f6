/** Whether the server can be reached. Reads pause while the server cannot be reached, and then continue by themselves. */
import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** When a call last failed. A late answer to an earlier call does not prove that there is a connection. */
let lostAtMs = Number.NEGATIVE_INFINITY

/** Called for every answer that came. @param sentAtMs when its call was made, by `performance.now()` */
export function noteAnswer(sentAtMs: number): void {
  if (sentAtMs >= lostAtMs) onlineManager.setOnline(true)
}

/** Called when no answer came. */
export function noteNoAnswer(): void {
  lostAtMs = performance.now()
  onlineManager.setOnline(false)
}

/** Watches for the browser going offline; react-query itself watches for its return. */
export function watchBrowserConnection(): void {
  window.addEventListener('offline', noteNoAnswer)
  if (!navigator.onLine) noteNoAnswer()
}

/** Whether the server can be reached. */
export function useOnline(): boolean {
  const get = () => onlineManager.isOnline()
  return useSyncExternalStore((listener) => onlineManager.subscribe(listener), get, get)
}

/** Waits for the server to be reachable. */
export async function untilOnline(): Promise<void> {
  if (onlineManager.isOnline()) return
  await new Promise<void>((resolve) => {
    const unsubscribe = onlineManager.subscribe((isOnline) => {
      if (!isOnline) return
      unsubscribe()
      resolve()
    })
  })
}
