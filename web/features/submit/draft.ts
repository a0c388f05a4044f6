/** Unsubmitted code, kept per user, problem and language in this browser. */
import type { LanguageId } from '#contract/languages'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

interface DraftKey {
  username: string
  problemId: number
  /** Null while none has been chosen. */
  language: LanguageId | null
}

/** The storage key of a draft. Usernames hold no colon, so no two drafts share one. */
export function draftKey({ username, problemId, language }: DraftKey): string {
  return `draft:${username.toLowerCase()}:${problemId}:${language ?? 'none'}`
}

/** The kept code; null when there is none. */
export function readDraft(draft: DraftKey): string | null {
  return readStored(draftKey(draft))
}

/** Keeps the code; an empty one is forgotten. */
export function keepDraft(draft: DraftKey, code: string): void {
  if (code === '') removeStored(draftKey(draft))
  else writeStored(draftKey(draft), code)
}
