/** Drafts: the program that somebody is at, kept per user, problem and language in this browser, also once handed in. */
import * as z from 'zod'
import type { Language } from '#contract/languages'
import { parseJson } from './parse-json.ts'
import { readStored, removeStored, writeStored } from './storage.ts'

export interface DraftOwner {
  username: string
  problemId: number
}

/** How many other versions of a program are kept beside its draft. */
const VERSIONS = 4

const versions = z.array(z.string()).catch([])

/** The storage key of a draft. Usernames hold no colon, so no two drafts share one. */
export function draftKey(
  { username, problemId }: DraftOwner,
  language: Pick<Language, 'id'> | null,
) {
  return `draft:${username.toLowerCase()}:${problemId}:${language?.id ?? 'none'}`
}

function versionsKey(owner: DraftOwner, language: Language | null): string {
  return `${draftKey(owner, language)}:versions`
}

/** The draft, or null. @param language null: typed before one was chosen */
export function readDraft(owner: DraftOwner, language: Language | null): string | null {
  return readStored(draftKey(owner, language))
}

/** The versions that other code has taken the place of, oldest first. */
export function readVersions(owner: DraftOwner, language: Language | null): string[] {
  return versions.parse(parseJson(readStored(versionsKey(owner, language))))
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

/** Puts code in the place of the draft, which stays as another version. */
export function replaceDraft(owner: DraftOwner, language: Language | null, code: string): void {
  const draft = readDraft(owner, language) ?? readDraft(owner, null)
  const others = readVersions(owner, language).filter((other) => other !== code && other !== draft)
  if (draft !== null && draft !== code) others.push(draft)
  keep(
    versionsKey(owner, language),
    others.length === 0 ? '' : JSON.stringify(others.slice(-VERSIONS)),
  )
  keepDraft(owner, language, code)
}

/** Forgets the other versions. */
export function dropVersions(owner: DraftOwner, language: Language | null): void {
  removeStored(versionsKey(owner, language))
}
