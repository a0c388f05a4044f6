/** Splits programs into coloured words. Loaded only on pages that show code. */
import { highlightCode } from '@lezer/highlight'
import type { EditorMode } from '#contract/languages'
import { codeColours } from './code-colours.ts'
import { GRAMMARS } from './grammars.ts'

export interface Word {
  text: string
  /** A CSS class; empty for plain text. */
  colour: string
}

/** The words of each line of a program. */
export async function toWords(code: string, mode: EditorMode): Promise<Word[][]> {
  const parser = await GRAMMARS[mode].loadParser()
  const lines: Word[][] = [[]]
  highlightCode(
    code,
    parser.parse(code),
    codeColours,
    (text, colour) => lines.at(-1)?.push({ text, colour }),
    () => lines.push([]),
  )
  return lines
}
