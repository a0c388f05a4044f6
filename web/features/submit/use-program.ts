/** The program for a problem, with its language, draft and other versions. */
import { useState } from 'react'
import type { Language } from '#contract/languages'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import type { Problem } from '#contract/problems'
import { useTextFile } from '../../lib/files/use-text-file.ts'
import { readStored, STORAGE_KEYS, writeStored } from '../../lib/storage.ts'
import { languageOfFile, preselect, refusalOf, type SubmitRefusal } from './source.ts'
import { useDraftedCode } from './use-drafted-code.ts'

/** Why the program was not sent, and how its file was read. `refuse` sets the reason and clears what was said about the file. */
function useRefusal() {
  const [refusal, setRefusal] = useState<SubmitRefusal | null>(null)
  const file = useTextFile(SOURCE_LIMIT_BYTES)

  function refuse(found: SubmitRefusal | null) {
    setRefusal(found)
    file.forget()
  }

  return { refusal, file, refuse }
}

/** The program and the actions that change it; any change clears the last refusal. */
export function useProgram({ problemId, allowedLanguage }: Problem, username: string) {
  const lastUsed = readStored(STORAGE_KEYS.lastUsedLanguage)
  const [language, setLanguage] = useState(() => preselect(allowedLanguage, lastUsed))
  const { code, setIsRestored, carryTo, replaceBy, keepMine, takeOther, ...draft } = useDraftedCode(
    { username, problemId },
    language,
    lastUsed,
  )
  const { refusal, file, refuse } = useRefusal()

  function choose(next: Language | null) {
    setLanguage(next)
    refuse(null)
    carryTo(next)
    if (next !== null) writeStored(STORAGE_KEYS.lastUsedLanguage, next.id)
  }

  function noteTyped(read: () => string) {
    code.typed(read)
    refuse(null)
    setIsRestored(false)
  }

  /** Opens a file; if it cannot be read, the editor keeps its text. */
  async function open(chosen: File) {
    refuse(null)
    const text = await file.open(chosen)
    if (text === null) return
    const told = languageOfFile(chosen.name, allowedLanguage) ?? language
    replaceBy(told, text)
    setLanguage(told)
  }

  /** Goes on with this tab's text, as submitting does, too, or with the other tab's text. */
  function settle(goOnWith: 'mine' | 'other') {
    refuse(null)
    if (goOnWith === 'mine') keepMine()
    else takeOther()
  }

  /** The program to submit; null if it is refused. */
  function take() {
    code.flush()
    const text = code.read()
    const found = refusalOf(text, language)
    refuse(found)
    return found === null && language !== null ? { language, text } : null
  }

  /** Replaces the program by a text; the program stays as another version. */
  function replace(text: string) {
    refuse(null)
    replaceBy(language, text)
  }

  return { ...draft, code, language, refusal, file, choose, noteTyped, open, settle, take, replace }
}
export type Program = ReturnType<typeof useProgram>
