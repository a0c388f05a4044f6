/** Unsubmitted code, kept per user, problem and language in this browser. */
import type { LanguageId } from '#contract/languages'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

interface DraftPlace {
  username: string
  problemId: number
  /** Null while none has been chosen. */
  language: LanguageId | null
}

/** The storage key of a draft. Usernames hold no colon, so no two places share one. */
export function draftKey({ username, problemId, language }: DraftPlace): string {
  return `draft:${username.toLowerCase()}:${problemId}:${language ?? 'none'}`
}

/** The kept code; null when there is none. */
export function readDraft(place: DraftPlace): string | null {
  return readStored(draftKey(place))
}

/** Keeps the code; an empty one is forgotten. */
export function keepDraft(place: DraftPlace, code: string): void {
  if (code === '') removeStored(draftKey(place))
  else writeStored(draftKey(place), code)
}
