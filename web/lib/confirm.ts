/** Questions before something is lost or begins; `layout/confirm-question.tsx` shows them. */
import { createStore } from './store.ts'

/** A question, and what the button says that means yes. */
export interface Question {
  title: string
  /** What follows from yes. */
  text: string
  label: string
  /** What the other button says. Default: "Cancel". */
  keepLabel?: string
  /** It begins something, and nothing is lost. */
  isHarmless?: boolean
}

interface AskedQuestion extends Question {
  answer: (isYes: boolean) => void
}

const asked = createStore<AskedQuestion | null>(null)

/** Asks over the page. @returns whether the answer was yes; no where another question takes its place, or none can be shown */
export function askToConfirm(question: Question): Promise<boolean> {
  if (!asked.isUsed()) return Promise.resolve(false)
  asked.get()?.answer(false)
  return new Promise((resolve) => {
    asked.set({
      ...question,
      answer(isYes) {
        asked.set(null)
        resolve(isYes)
      },
    })
  })
}

/** The question that should be shown. */
export function useAskedQuestion(): AskedQuestion | null {
  return asked.use()
}
