/** The program while it is typed. The text field holds the text, because rendering the page at each key press would be slow. */
import { useEffect, useState } from 'react'
import { onSaveDrafts } from '../../lib/drafts/draft.ts'
import type { Caret } from '../../lib/drafts/early-code.ts'

/** How long after the last key the text is saved as a draft, in ms. */
const PAUSE_MS = 400

/** The field that shows the program. */
type Field = Pick<WrittenCode, 'put' | 'goTo'>

export interface WrittenCode {
  /** Keeps the cursor of a field for the field that replaces it. */
  leaveCaret(caret: Caret): void
  /** Returns the kept cursor, and forgets it. */
  takeCaret(): Caret | null
  /** The current text. */
  read(): string
  /** Notes that the user has typed; from now on `read` returns the text of the field. */
  typed(read: () => string): void
  /** Replaces the text. */
  put(text: string): void
  /** Puts the cursor into a line, from 1. */
  goTo(line: number): void
  /** Connects a field to `put` and `goTo`. @returns the function that disconnects it */
  attach(field: Field): () => void
  /** Saves the last input at once. */
  flush(): void
  /** Sets the function that saves the text. */
  keepWith(keep: (text: string) => void): void
}

function startCode(first: string, readFirstCaret: () => Caret | null): WrittenCode {
  let readCaret = readFirstCaret
  const fields = new Set<Field>()
  let source = () => first
  let keep = (_text: string) => {}
  let timer: ReturnType<typeof setTimeout> | undefined

  function stopWaiting() {
    clearTimeout(timer)
    timer = undefined
  }

  const code: WrittenCode = {
    leaveCaret(left) {
      readCaret = () => left
    },
    takeCaret() {
      const taken = readCaret()
      readCaret = () => null
      return taken
    },
    read: () => source(),
    typed(read) {
      source = read
      clearTimeout(timer)
      timer = setTimeout(code.flush, PAUSE_MS)
    },
    put(text) {
      stopWaiting()
      source = () => text
      for (const field of fields) field.put(text)
    },
    goTo(line) {
      for (const field of fields) field.goTo(line)
    },
    attach(field) {
      fields.add(field)
      return () => fields.delete(field)
    },
    flush() {
      if (timer === undefined) return
      stopWaiting()
      keep(source())
    },
    keepWith(how) {
      keep = how
    },
  }
  return code
}

/**
 * @param first the initial text
 * @param readCaret returns the cursor's place when the first field appears; null: none
 * @param keep saves the text: called after a pause, and before the page is left or hidden
 */
export function useWrittenCode(
  first: string,
  readCaret: () => Caret | null,
  keep: (text: string) => void,
): WrittenCode {
  const [code] = useState(() => startCode(first, readCaret))
  useEffect(() => {
    code.keepWith(keep)
  })
  useEffect(() => {
    const stopSaving = onSaveDrafts(code.flush)
    window.addEventListener('pagehide', code.flush)
    document.addEventListener('visibilitychange', code.flush)
    return () => {
      stopSaving()
      window.removeEventListener('pagehide', code.flush)
      document.removeEventListener('visibilitychange', code.flush)
      code.flush()
    }
  }, [code])
  return code
}
