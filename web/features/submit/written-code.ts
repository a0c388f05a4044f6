/** The program while it is written: its field holds it, for drawing the page anew at every key would make typing slow. */
import { useEffect, useState } from 'react'

/** How long after the last key what was typed is kept, in milliseconds. */
const PAUSE_MS = 400

export interface WrittenCode {
  /** The text of this very moment. */
  read(): string
  /** Something has been typed; `read` tells the field's text from now on. */
  typed(read: () => string): void
  /** Puts another text in. */
  put(text: string): void
  /** Calls the field back when another text is put in. @returns a function that ends that */
  onPut(listener: (text: string) => void): () => void
  /** Keeps at once what was typed last. */
  flush(): void
  /** Says how what was typed is kept. */
  keepWith(keep: (text: string) => void): void
}

function startCode(first: string): WrittenCode {
  const listeners = new Set<(text: string) => void>()
  let source = () => first
  let keep = (_text: string) => {}
  let timer: ReturnType<typeof setTimeout> | undefined

  function stopWaiting() {
    clearTimeout(timer)
    timer = undefined
  }

  const code: WrittenCode = {
    read: () => source(),
    typed(read) {
      source = read
      clearTimeout(timer)
      timer = setTimeout(code.flush, PAUSE_MS)
    },
    put(text) {
      stopWaiting()
      source = () => text
      for (const listener of listeners) listener(text)
    },
    onPut(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
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
 * @param first what stands there at first
 * @param keep called with what was typed: after a pause, and before the page is left or put away
 */
export function useWrittenCode(first: string, keep: (text: string) => void): WrittenCode {
  const [code] = useState(() => startCode(first))
  useEffect(() => {
    code.keepWith(keep)
  })
  useEffect(() => {
    window.addEventListener('pagehide', code.flush)
    document.addEventListener('visibilitychange', code.flush)
    return () => {
      window.removeEventListener('pagehide', code.flush)
      document.removeEventListener('visibilitychange', code.flush)
      code.flush()
    }
  }, [code])
  return code
}
