import { useEffect, useState } from 'react'
import type { EditorMode } from '#contract/languages'
import type { Word } from './code-words.ts'

/** Longer programs stay plain: colouring them would block the page. */
const LONGEST = 100_000

interface Coloured {
  of: string
  lines: Word[][]
}

/** The coloured lines of a program; null until they are ready, and without a mode. */
export function useColouredCode(code: string, mode: EditorMode | null): Word[][] | null {
  const [coloured, setColoured] = useState<Coloured | null>(null)
  useEffect(() => {
    if (mode === null || code.length > LONGEST) return
    let wanted = true
    async function colour(chosen: EditorMode) {
      const { toWords } = await import('./code-words.ts')
      const lines = await toWords(code, chosen)
      if (wanted) setColoured({ of: code, lines })
    }
    // The program stays plain.
    colour(mode).catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [code, mode])
  return coloured?.of === code ? coloured.lines : null
}
