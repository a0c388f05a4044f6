/** The program as it is typed, with its draft and the versions beside it. */
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'
import { LANGUAGES, type Language } from '#contract/languages'
import {
  draftKey,
  dropVersions,
  readDraft,
  readVersions,
  type DraftOwner,
} from '../../lib/drafts/draft.ts'
import { readEarlyCode, removeEarlyCode } from '../../lib/drafts/early-code.ts'
import { openTabDraft, readTabDraft, type TabDraft } from './tab-draft.ts'
import { useWrittenCode, type WrittenCode } from './written-code.ts'

/**
 * The text typed before the app was loaded; else the language's draft; else the draft without a language, or that of
 * the last used one.
 */
function firstDraft(owner: DraftOwner, language: Language | null, lastUsed: string | null) {
  const early = readEarlyCode(owner.problemId)?.text ?? ''
  if (early !== '') return early
  const last = LANGUAGES.find(({ id }) => id === lastUsed) ?? null
  return readTabDraft(owner, language) ?? readDraft(owner, null) ?? readDraft(owner, last)
}

/** Takes over the text of the field that was shown before the app was loaded, and removes the field. */
function useEarlyCode(problemId: number, take: (text: string) => void) {
  const takeLast = useEffectEvent(() => {
    const text = readEarlyCode(problemId)?.text ?? ''
    if (text !== '') take(text)
    removeEarlyCode()
  })
  // This does not happen while rendering, because keys pressed before the field is removed would be lost.
  useLayoutEffect(() => takeLast(), [])
}

/** Whether another tab has changed the draft, and the user has not yet chosen between the texts. */
function useOtherTab(tab: TabDraft, key: string, code: WrittenCode) {
  const [isOther, setIsOther] = useState(() => tab.readOther(code.read()) !== null)
  const look = () => setIsOther(tab.readOther(code.read()) !== null)
  const lookAgain = useEffectEvent(look)
  useEffect(() => {
    // Only other tabs cause this event.
    const hear = (event: StorageEvent) => {
      if (event.key === key || event.key === null) lookAgain()
    }
    window.addEventListener('storage', hear)
    return () => window.removeEventListener('storage', hear)
  }, [key])
  return { isOther, setIsOther, look }
}

/** The other versions of the program. */
function useVersions(owner: DraftOwner, language: Language | null) {
  const [versions, setVersions] = useState(() => readVersions(owner, language))
  const readAgain = (chosen: Language | null) => setVersions(readVersions(owner, chosen))
  function drop() {
    dropVersions(owner, language)
    setVersions([])
  }
  return { versions, readAgain, dropVersions: drop }
}

/** Starts from the draft, and keeps the input as a draft. */
export function useDraftedCode(
  { username, problemId }: DraftOwner,
  language: Language | null,
  lastUsed: string | null,
) {
  const owner = useMemo(() => ({ username, problemId }), [username, problemId])
  const [draft] = useState(() => firstDraft(owner, language, lastUsed))
  const tab = useMemo(() => openTabDraft(owner, language), [owner, language])
  const code = useWrittenCode(draft ?? '', () => readEarlyCode(problemId)?.caret ?? null, keep)
  const [isRestored, setIsRestored] = useState(draft !== null)
  const { readAgain, ...others } = useVersions(owner, language)
  const { isOther, setIsOther, look } = useOtherTab(tab, draftKey(owner, language), code)

  function keep(text: string) {
    tab.keep(text)
    look()
  }

  /** Goes on in another language. The code stays unless the new language has a draft. */
  function carryTo(next: Language | null) {
    code.flush()
    readAgain(next)
    setIsOther(false)
    if (next === null) return
    const kept = readTabDraft(owner, next)
    const written = code.read()
    const there = openTabDraft(owner, next)
    if (kept === null || kept === written) return there.keep(written)
    code.put(kept)
    setIsRestored(true)
    setIsOther(there.readOther(kept) !== null)
  }

  /** Replaces the draft by the user's choice. @param choose stores the choice and returns its text */
  function settle(chosen: Language | null, choose: () => string) {
    code.flush()
    const text = choose()
    if (text !== code.read()) code.put(text)
    setIsOther(false)
    setIsRestored(false)
    readAgain(chosen)
  }

  useEarlyCode(problemId, (text) => settle(language, () => tab.replace(text)))

  return {
    code,
    isRestored,
    setIsRestored,
    ...others,
    isOther,
    carryTo,
    replaceBy: (chosen: Language | null, text: string) =>
      settle(chosen, () => (chosen === language ? tab : openTabDraft(owner, chosen)).replace(text)),
    keepMine: () => settle(language, () => tab.replace(code.read())),
    takeOther: () => settle(language, tab.takeOther),
  }
}
