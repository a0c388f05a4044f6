/** Calls that need a fresh password (403 `password_required`) wait here until it is confirmed. */
import { createStore } from '../store.ts'

type Resume = (isConfirmed: boolean) => void

const waiting = createStore<Resume[]>([])

/** Opens the dialog. @returns whether the password was confirmed; false if the dialog was closed or cannot open */
export function askForPassword(): Promise<boolean> {
  if (!waiting.isUsed()) return Promise.resolve(false)
  return new Promise((resolve) => waiting.set([...waiting.get(), resolve]))
}

/** Closes the dialog and resumes the waiting calls. */
export function answerPasswordQuestion(isConfirmed: boolean): void {
  const settled = waiting.get()
  waiting.set([])
  for (const resume of settled) resume(isConfirmed)
}

/** Whether the dialog should be open. */
export function usePasswordQuestion(): boolean {
  return waiting.use().length > 0
}
