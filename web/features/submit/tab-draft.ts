/**
 * A draft that several tabs may edit. The first tab saves the draft; the texts of other tabs are kept beside it until
 * the user chooses one.
 */
import type { Language } from '#contract/languages'
import {
  keepBeside,
  keepDraft,
  leaveBeside,
  readBeside,
  readDraft,
  replaceDraft,
  type DraftOwner,
} from '../../lib/drafts/draft.ts'

export type TabDraft = ReturnType<typeof openTabDraft>

/** This tab's text: its own one beside the draft, or the draft; null if there is neither. */
export function readTabDraft(owner: DraftOwner, language: Language | null): string | null {
  return readBeside(owner, language) ?? readDraft(owner, language)
}

/** Opens the draft with this tab's text. */
export function openTabDraft(owner: DraftOwner, language: Language | null) {
  /** The text that this tab read or kept last. */
  let last = readTabDraft(owner, language) ?? ''

  /** The draft, if another tab has changed it; else null. @param code what this tab shows */
  function readOther(code: string): string | null {
    const draft = readDraft(owner, language) ?? ''
    return draft === '' || draft === last || draft === code ? null : draft
  }

  /** Notes the draft as it is stored. If storage is full, the stored draft is not the last input. */
  function noteDraft(): string {
    last = readDraft(owner, language) ?? ''
    return last
  }

  return {
    readOther,
    keep(code: string) {
      if (readOther(code) === null) {
        leaveBeside(owner, language, false)
        keepDraft(owner, language, code)
        noteDraft()
      } else {
        keepBeside(owner, language, code)
        last = code
      }
    },
    /** Replaces the draft, even another tab's, by code; the old draft stays as another version. @returns the code */
    replace(code: string): string {
      replaceDraft(owner, language, code)
      noteDraft()
      return code
    },
    /** Takes the other tab's draft; this tab's text stays as another version. @returns the draft */
    takeOther(): string {
      leaveBeside(owner, language, true)
      return noteDraft()
    },
  }
}
