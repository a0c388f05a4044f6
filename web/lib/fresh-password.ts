/** Calls that need a fresh password (403 `password_required`) wait here until it is confirmed. */
import { useSyncExternalStore } from 'react'

let waiting: ((isConfirmed: boolean) => void)[] = []
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

/** Opens the dialog. @returns whether the password was confirmed; false if the dialog was closed or cannot open */
export function askForPassword(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false)
  return new Promise((resolve) => {
    waiting.push(resolve)
    tell()
  })
}

/** Closes the dialog and resumes the waiting calls. */
export function answerPasswordQuestion(isConfirmed: boolean): void {
  const settled = waiting
  waiting = []
  tell()
  for (const resolve of settled) resolve(isConfirmed)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the dialog should be open. */
export function usePasswordQuestion(): boolean {
  return useSyncExternalStore(subscribe, () => waiting.length > 0)
}
