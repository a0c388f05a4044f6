/** The program for a problem, with its language, draft and other versions. */
import { useState } from 'react'
import type { Language } from '#contract/languages'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import type { Problem } from '#contract/problems'
import { readStored, STORAGE_KEYS, writeStored } from '../../lib/storage.ts'
import { languageOfFile, preselect, refusalOf, type SubmitRefusal } from './source.ts'
import { useDraftedCode } from './use-drafted-code.ts'

/** The program and the actions that change it; any change clears the last refusal. */
export function useProgram({ problemId, allowedLanguage }: Problem, username: string) {
  const lastUsed = readStored(STORAGE_KEYS.lastUsedLanguage)
  const [language, setLanguage] = useState(() => preselect(allowedLanguage, lastUsed))
  const { code, setIsRestored, carryTo, replaceBy, keepMine, takeOther, ...draft } = useDraftedCode(
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

  /** Goes on with this tab's text, as submitting it does, or with the other tab's. */
  function settle(goOnWith: 'mine' | 'other') {
    setRefusal(null)
    if (goOnWith === 'mine') keepMine()
    else takeOther()
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
  return { ...draft, code, language, refusal, choose, noteTyped, open, settle, take, replace }
}
export type Program = ReturnType<typeof useProgram>
