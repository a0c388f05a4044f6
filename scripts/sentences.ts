/** Finds the sentences of texts, pages and comments. */
import { parseSync } from 'vite'

const END_OF_SENTENCE = /(?<!\b[ei]\.[ge]\.)(?<=[.!?][”")’]?)\s+(?=[\p{Lu}\p{N}“"‘(`{])/u
/** Lines of a page that have no sentences: tables, headings, pictures and HTML. */
const NO_PROSE = /^\s*(?:\||#|!\[|<|-{3})/
const BEGINS_BLOCK = /^\s*(?:[-*>]|\d+\.)\s+/

/** A text's sentences, in order. */
export function sentencesOf(text: string): string[] {
  return text
    .split(END_OF_SENTENCE)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

/** How many words a sentence has; a placeholder like `{count}` is one. */
export function countWords(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

/** The texts of a catalogue. */
export function textsIn(catalogue: unknown): string[] {
  if (typeof catalogue === 'string') return [catalogue]
  return catalogue === null || typeof catalogue !== 'object'
    ? []
    : Object.values(catalogue).flatMap(textsIn)
}

/** The paragraphs and list items of a page, one text each; a link is replaced by its text. */
export function paragraphsOf(markdown: string): string[] {
  const blocks: string[] = []
  let isNew = true
  for (const line of markdown.replaceAll(/^\s*```[\s\S]*?^\s*```/gm, '').split('\n')) {
    const text = line.replace(BEGINS_BLOCK, '').trim()
    if (text === '' || NO_PROSE.test(line)) isNew = true
    else if (isNew || BEGINS_BLOCK.test(line)) isNew = blocks.push(text) === 0
    else blocks.push(`${blocks.pop()} ${text}`)
  }
  return blocks.map((block) => block.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
}

/** The comments of a TypeScript file; consecutive line comments are one. */
export function commentsOf(file: string, code: string): string[] {
  const texts: string[] = []
  let end = -1
  for (const comment of parseSync(file, code).comments) {
    const text = comment.value
      .replaceAll(/^\s*\*+ ?/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
    const continues = comment.type === 'Line' && code.slice(end, comment.start).trim() === ''
    if (continues && end >= 0) texts.push(`${texts.pop()} ${text}`)
    else texts.push(text)
    end = comment.type === 'Line' ? comment.end : -1
  }
  return texts.flatMap((text) => text.split(/ (?=@\w+ )/))
}
