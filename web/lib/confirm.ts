/** Questions that are asked before something is lost or begun; `layout/confirm-question.tsx` shows them. */
import { createStore } from './store.ts'

/** A question, with the text of the button that means yes. */
export interface Question {
  title: string
  /** Says what happens after the answer yes. */
  text: string
  label: string
  /** What the other button says. Default: "Cancel". */
  keepLabel?: string
  /** Whether the answer yes only begins something and loses nothing. */
  isHarmless?: boolean
}

interface AskedQuestion extends Question {
  answer: (isYes: boolean) => void
}

const asked = createStore<AskedQuestion | null>(null)

/**
 * Asks over the page. @returns whether the answer was yes; false also if another question replaces this one, or if this
 * one cannot be shown
 */
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
