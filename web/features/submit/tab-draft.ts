/** A draft that several tabs may edit. The first tab keeps it; the text of the others is kept beside it, until they choose. */
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

/** What this tab has: its own text beside the draft, or the draft; null if there is neither. */
export function readTabDraft(owner: DraftOwner, language: Language | null): string | null {
  return readBeside(owner, language) ?? readDraft(owner, language)
}

/** Begins with what this tab has. */
export function openTabDraft(owner: DraftOwner, language: Language | null) {
  /** What this tab has read or kept last. */
  let last = readTabDraft(owner, language) ?? ''

  /** What another tab has made of the draft; null if it is this tab's. @param code what this tab shows */
  function readOther(code: string): string | null {
    const draft = readDraft(owner, language) ?? ''
    return draft === '' || draft === last || draft === code ? null : draft
  }

  /** Goes on from the draft as it is stored: where storage is full, that is not what was typed last. */
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
    /** Puts code in the place of the draft, which stays as another version, also where it is the other tab's. @returns the code */
    replace(code: string): string {
      replaceDraft(owner, language, code)
      noteDraft()
      return code
    },
    /** Takes the other tab's draft; what this tab had stays as another version. @returns the draft */
    takeOther(): string {
      leaveBeside(owner, language, true)
      return noteDraft()
    },
  }
}
