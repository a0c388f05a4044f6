/** Splits programs into coloured words. Loaded only where code is shown. */
import { parser as cppParser } from '@lezer/cpp'
import { highlightCode } from '@lezer/highlight'
import { parser as pythonParser } from '@lezer/python'
import type { EditorMode } from '#contract/languages/language'
import { codeColours } from './code-colours.ts'

export interface Word {
  text: string
  /** A CSS class; empty for plain text. */
  colour: string
}

/** The parsers by mode; C is parsed as C++. */
const PARSERS = { cpp: cppParser, python: pythonParser }

export type ColouredMode = Exclude<EditorMode, 'text'>

/** The lines of a program, each in words. */
export function toWords(code: string, mode: ColouredMode): Word[][] {
  const lines: Word[][] = [[]]
  highlightCode(
    code,
    PARSERS[mode].parse(code),
    codeColours,
    (text, colour) => lines.at(-1)?.push({ text, colour }),
    () => lines.push([]),
  )
  return lines
}
