/** The program for a problem, with its language and drafts. */
import { useState } from 'react'
import type { Language } from '#contract/languages'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import type { Problem } from '#contract/problems'
import { readStored, STORAGE_KEYS, writeStored } from '../../lib/storage.ts'
import { keepDraft, readDraft, type DraftOwner } from './draft.ts'
import { languageOfFile, preselect, refusalOf, type SubmitRefusal } from './source.ts'
import { useWrittenCode } from './written-code.ts'

/** Starts from the draft, and keeps the input as a draft. */
function useDraftedCode(owner: DraftOwner, language: Language | null) {
  const [draft] = useState(() => readDraft(owner, language) ?? readDraft(owner, null))
  const code = useWrittenCode(draft ?? '', (text) => keepDraft(owner, language, text))
  const [isRestored, setIsRestored] = useState(draft !== null)
  return { code, isRestored, setIsRestored }
}

/** The program and the actions that change it; any change clears the last refusal. */
export function useProgram({ problemId, allowedLanguage }: Problem, username: string) {
  const owner = { username, problemId }
  const [language, setLanguage] = useState(() =>
    preselect(allowedLanguage, readStored(STORAGE_KEYS.lastUsedLanguage)),
  )
  const { code, isRestored, setIsRestored } = useDraftedCode(owner, language)
  const [refusal, setRefusal] = useState<SubmitRefusal | null>(null)

  function choose(next: Language | null) {
    code.flush()
    setLanguage(next)
    setRefusal(null)
    if (next === null) return
    writeStored(STORAGE_KEYS.lastUsedLanguage, next.id)
    const kept = readDraft(owner, next)
    const written = code.read()
    // Code typed for another language stays unless this language has a draft.
    if (kept === null || kept === written) return keepDraft(owner, next, written)
    code.put(kept)
    setIsRestored(true)
  }

  function noteTyped(read: () => string) {
    code.typed(read)
    setRefusal(null)
    setIsRestored(false)
  }

  function put(chosen: Language | null, text: string) {
    code.put(text)
    setRefusal(null)
    setIsRestored(false)
    keepDraft(owner, chosen, text)
  }

  async function open(file: File) {
    // Too large to read: the editor keeps its text.
    if (file.size > SOURCE_LIMIT_BYTES) return setRefusal('tooLarge')
    const text = await file.text()
    code.flush()
    const told = languageOfFile(file.name, allowedLanguage) ?? language
    setLanguage(told)
    put(told, text)
  }

  /** The program to submit; null if it is refused. */
  function take() {
    code.flush()
    const text = code.read()
    const found = refusalOf(text, language)
    setRefusal(found)
    return found === null && language !== null ? { language, text } : null
  }

  const discard = () => put(language, '')
  return { code, language, isRestored, refusal, choose, noteTyped, open, discard, take }
}
