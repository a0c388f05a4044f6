/** Colours of highlighted code, by tag; each readable on the editor's ground in its scheme. */
import type { TagStyle } from '@codemirror/language'
import { tags } from '@lezer/highlight'

export const codeColours: TagStyle[] = [
  { tag: tags.keyword, color: 'light-dark(#7a2f8f, #d6a4e8)' },
  { tag: [tags.typeName, tags.className], color: 'light-dark(#14616c, #7cc7d0)' },
  { tag: [tags.string, tags.character], color: 'light-dark(#2c6a2c, #9ed39e)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#8a3c06, #f0b483)' },
  { tag: tags.comment, color: 'light-dark(#68635a, #93a1a4)', fontStyle: 'italic' },
  { tag: [tags.meta, tags.processingInstruction], color: 'light-dark(#7a5500, #e5b75b)' },
  { tag: tags.function(tags.variableName), color: 'light-dark(#1f4e8c, #9cc4f2)' },
]
