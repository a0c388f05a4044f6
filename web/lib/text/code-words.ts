/** Splits programs into coloured words. Loaded only where code is shown. */
import { highlightCode } from '@lezer/highlight'
import type { EditorMode } from '#contract/languages/language'
import { codeColours } from './code-colours.ts'

export interface Word {
  text: string
  /** A CSS class; empty for plain text. */
  colour: string
}

/** The parsers by mode, each in a file of its own; C is parsed as C++. */
const PARSERS = {
  cpp: async () => (await import('@lezer/cpp')).parser,
  python: async () => (await import('@lezer/python')).parser,
}

export type ColouredMode = Exclude<EditorMode, 'text'>

/** The lines of a program, each in words. */
export async function toWords(code: string, mode: ColouredMode): Promise<Word[][]> {
  const parser = await PARSERS[mode]()
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
