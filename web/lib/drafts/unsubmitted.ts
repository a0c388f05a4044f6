/** Code that is only in this browser: signing out deletes it. */
import { LANGUAGES, type Language } from '#contract/languages'
import { readDraft, readSubmitted, readVersions, saveAllDrafts } from './draft.ts'
import { storedKeys } from '../storage.ts'

/** Code that was never submitted. `language` null: it was typed before a language was chosen. */
export interface UnsubmittedCode {
  problemId: number
  language: Language | null
  code: string
}

/** A person's code that was never submitted, each text of a problem once. */
export function listUnsubmitted(username: string): UnsubmittedCode[] {
  saveAllDrafts()
  const begin = `draft:${username.toLowerCase()}:`
  const ids = storedKeys()
    .filter((key) => key.startsWith(begin))
    .map((key) => Number(key.slice(begin.length).split(':')[0]))
  return [...new Set(ids)]
    .toSorted((left, right) => left - right)
    .flatMap((problemId) => {
      const owner = { username, problemId }
      const languages = [...LANGUAGES, null]
      const seen = new Set(languages.flatMap((language) => readSubmitted(owner, language)))
      return languages.flatMap((language) =>
        [readDraft(owner, language) ?? '', ...readVersions(owner, language)]
          .filter((code) => {
            const isNew = code.trim() !== '' && !seen.has(code)
            seen.add(code)
            return isNew
          })
          .map((code) => ({ problemId, language, code })),
      )
    })
}
