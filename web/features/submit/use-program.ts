/** The program for a problem, with its language, draft and other versions. */
import { useLayoutEffect, useState } from 'react'
import { LANGUAGES, type Language } from '#contract/languages'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import type { Problem } from '#contract/problems'
import {
  dropVersions,
  keepDraft,
  readDraft,
  readVersions,
  replaceDraft,
  type DraftOwner,
} from '../../lib/draft.ts'
import { readEarlyCode, removeEarlyCode } from '../../lib/early-code.ts'
import { readStored, STORAGE_KEYS, writeStored } from '../../lib/storage.ts'
import { languageOfFile, preselect, refusalOf, type SubmitRefusal } from './source.ts'
import { useWrittenCode } from './written-code.ts'

/** What was typed before the app was there, else the draft of the language; else what was typed before one was chosen, or in the last one, no longer allowed. */
function firstDraft(owner: DraftOwner, language: Language | null, lastUsed: string | null) {
  const early = readEarlyCode(owner.problemId)?.text ?? ''
  if (early !== '') replaceDraft(owner, language, early)
  const last = LANGUAGES.find(({ id }) => id === lastUsed) ?? null
  return readDraft(owner, language) ?? readDraft(owner, null) ?? readDraft(owner, last)
}

/** Starts from the draft, and keeps the input as a draft. */
function useDraftedCode(owner: DraftOwner, language: Language | null, lastUsed: string | null) {
  const [draft] = useState(() => firstDraft(owner, language, lastUsed))
  const [caret] = useState(() => readEarlyCode(owner.problemId)?.caret ?? null)
  const code = useWrittenCode(draft ?? '', caret, (text) => keepDraft(owner, language, text))
  useLayoutEffect(removeEarlyCode, [])
  const [isRestored, setIsRestored] = useState(draft !== null)
  const [versions, setVersions] = useState(() => readVersions(owner, language))

  /** Goes on in another language. Code typed for the one before stays unless this one has a draft. */
  function carryTo(next: Language | null) {
    code.flush()
    setVersions(readVersions(owner, next))
    if (next === null) return
    const kept = readDraft(owner, next)
    const written = code.read()
    if (kept === null || kept === written) return keepDraft(owner, next, written)
    code.put(kept)
    setIsRestored(true)
  }

  function replaceBy(chosen: Language | null, text: string) {
    code.flush()
    code.put(text)
    setIsRestored(false)
    replaceDraft(owner, chosen, text)
    setVersions(readVersions(owner, chosen))
  }

  function drop() {
    dropVersions(owner, language)
    setVersions([])
  }

  return { code, isRestored, setIsRestored, versions, carryTo, replaceBy, dropVersions: drop }
}

/** The program and the actions that change it; any change clears the last refusal. */
export function useProgram({ problemId, allowedLanguage }: Problem, username: string) {
  const lastUsed = readStored(STORAGE_KEYS.lastUsedLanguage)
  const [language, setLanguage] = useState(() => preselect(allowedLanguage, lastUsed))
  const { code, setIsRestored, carryTo, replaceBy, ...draft } = useDraftedCode(
    { username, problemId },
    language,
    lastUsed,
  )
  const [refusal, setRefusal] = useState<SubmitRefusal | null>(null)

  function choose(next: Language | null) {
    setLanguage(next)
    setRefusal(null)
    carryTo(next)
    if (next !== null) writeStored(STORAGE_KEYS.lastUsedLanguage, next.id)
  }

  function noteTyped(read: () => string) {
    code.typed(read)
    setRefusal(null)
    setIsRestored(false)
  }

  function put(chosen: Language | null, text: string) {
    setRefusal(null)
    replaceBy(chosen, text)
  }

  async function open(file: File) {
    // Too large to read: the editor keeps its text.
    if (file.size > SOURCE_LIMIT_BYTES) return setRefusal('tooLarge')
    const text = await file.text()
    const told = languageOfFile(file.name, allowedLanguage) ?? language
    put(told, text)
    setLanguage(told)
  }

  /** The program to submit; null if it is refused. */
  function take() {
    code.flush()
    const text = code.read()
    const found = refusalOf(text, language)
    setRefusal(found)
    return found === null && language !== null ? { language, text } : null
  }

  /** Puts a text in the place of the program, which stays as another version. */
  const replace = (text: string) => put(language, text)
  return { ...draft, code, language, refusal, choose, noteTyped, open, take, replace }
}
export type Program = ReturnType<typeof useProgram>
