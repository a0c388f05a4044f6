/** Drafts: unsubmitted code, kept per user, problem and language in this browser. */
import type { Language } from '#contract/languages'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

export interface DraftOwner {
  username: string
  problemId: number
}

/** The storage key of a draft. Usernames hold no colon, so no two drafts share one. */
export function draftKey(
  { username, problemId }: DraftOwner,
  language: Pick<Language, 'id'> | null,
) {
  return `draft:${username.toLowerCase()}:${problemId}:${language?.id ?? 'none'}`
}

/** The draft, or null. @param language null: typed before one was chosen */
export function readDraft(owner: DraftOwner, language: Language | null): string | null {
  return readStored(draftKey(owner, language))
}

function keep(key: string, code: string): void {
  if (code === '') removeStored(key)
  else writeStored(key, code)
}

/** Keeps a draft; an empty one is removed. */
export function keepDraft(owner: DraftOwner, language: Language | null, code: string): void {
  keep(draftKey(owner, language), code)
  // Code typed before a language was chosen now belongs to that language.
  if (language !== null) keep(draftKey(owner, null), '')
}
