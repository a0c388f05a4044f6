/** Drafts: the program in the editor, kept per user, problem and language in this browser, even after it is submitted. */
import * as z from 'zod'
import type { Language } from '#contract/languages'
import { parseJson } from '../api/parse-json.ts'
import { readStored, removeStored, writeStored } from '../storage.ts'

export interface DraftOwner {
  username: string
  problemId: number
}

/** How many other versions of a program are kept beside its draft. */
const VERSIONS = 4

const texts = z.array(z.string()).catch([])

/** The storage key of a draft. Usernames hold no colon, so no two drafts share a key. */
export function draftKey(
  { username, problemId }: DraftOwner,
  language: Pick<Language, 'id'> | null,
) {
  return `draft:${username.toLowerCase()}:${problemId}:${language?.id ?? 'none'}`
}

/** What is kept beside a draft: its other versions, and which of all these texts were submitted. */
type Beside = 'versions' | 'submitted'

function readTexts(owner: DraftOwner, language: Language | null, what: Beside): string[] {
  return texts.parse(parseJson(readStored(`${draftKey(owner, language)}:${what}`)))
}

function keepTexts(owner: DraftOwner, language: Language | null, what: Beside, list: string[]) {
  keep(`${draftKey(owner, language)}:${what}`, list.length === 0 ? '' : JSON.stringify(list))
}

/** The draft, or null. @param language null: the draft was typed before a language was chosen */
export function readDraft(owner: DraftOwner, language: Language | null): string | null {
  return readStored(draftKey(owner, language))
}

/** The versions that other code has replaced, oldest first. */
export function readVersions(owner: DraftOwner, language: Language | null): string[] {
  return readTexts(owner, language, 'versions')
}

/** The text that this tab keeps beside the draft, because another tab has changed the draft. */
export function readBeside(owner: DraftOwner, language: Language | null): string | null {
  try {
    return sessionStorage.getItem(draftKey(owner, language))
  } catch {
    return null
  }
}

/** @param code null: this tab has the draft itself */
function noteBeside(owner: DraftOwner, language: Language | null, code: string | null): void {
  try {
    if (code === null) sessionStorage.removeItem(draftKey(owner, language))
    else sessionStorage.setItem(draftKey(owner, language), code)
  } catch {
    // Without storage, a reload shows the other tab's text; this tab's text stays as a version.
  }
}

function keep(key: string, code: string): void {
  if (code === '') removeStored(key)
  else writeStored(key, code)
}

/** Keeps a draft; an empty one is removed. */
export function keepDraft(owner: DraftOwner, language: Language | null, code: string): void {
  keep(draftKey(owner, language), code)
  // Code typed before a language was chosen now belongs to the chosen language.
  if (language !== null) keep(draftKey(owner, null), '')
}

function keepVersions(owner: DraftOwner, language: Language | null, others: string[]): void {
  keepTexts(owner, language, 'versions', others.slice(-VERSIONS))
}

/** Replaces the draft by code; the old draft stays as another version. */
export function replaceDraft(owner: DraftOwner, language: Language | null, code: string): void {
  const draft = readDraft(owner, language) ?? readDraft(owner, null)
  const others = readVersions(owner, language).filter((other) => other !== code && other !== draft)
  if (draft !== null && draft !== code) others.push(draft)
  keepVersions(owner, language, others)
  keepDraft(owner, language, code)
  noteBeside(owner, language, null)
}

/**
 * Keeps this tab's text as another version, because the draft belongs to another tab. This text replaces the one that
 * the tab kept before.
 */
export function keepBeside(owner: DraftOwner, language: Language | null, code: string): void {
  const before = readBeside(owner, language)
  const others = readVersions(owner, language).filter((other) => other !== before && other !== code)
  if (code !== '') others.push(code)
  keepVersions(owner, language, others)
  noteBeside(owner, language, code)
}

/** Goes back to the draft. @param isKept whether the text that this tab kept beside the draft stays as another version */
export function leaveBeside(owner: DraftOwner, language: Language | null, isKept: boolean): void {
  const before = readBeside(owner, language)
  if (before === null) return
  const others = readVersions(owner, language)
  if (!isKept)
    keepVersions(
      owner,
      language,
      others.filter((other) => other !== before),
    )
  noteBeside(owner, language, null)
}

const writers = new Set<() => void>()

/** Registers a function that saves what is being typed before drafts are listed. @returns the function that removes it */
export function onSaveDrafts(save: () => void): () => void {
  writers.add(save)
  return () => void writers.delete(save)
}

/** Saves what is being typed in this tab. */
export function saveAllDrafts(): void {
  for (const save of writers) save()
}

/** The texts of the draft and its versions that were submitted. */
export function readSubmitted(owner: DraftOwner, language: Language | null): string[] {
  return readTexts(owner, language, 'submitted')
}

/** Notes that a program was submitted, and forgets submitted texts that are no longer kept as draft or version. */
export function noteSubmitted(owner: DraftOwner, language: Language, code: string): void {
  const kept = [readDraft(owner, language) ?? '', ...readVersions(owner, language)]
  const known = [...readSubmitted(owner, language), code]
  const submitted = kept.filter((text) => known.includes(text))
  keepTexts(owner, language, 'submitted', submitted)
}

/** Forgets the other versions. */
export function dropVersions(owner: DraftOwner, language: Language | null): void {
  keepTexts(owner, language, 'versions', [])
}
