/**
 * The CSS classes of code; their colours are in styles/code.css. The editor, statements and submitted sources all use
 * these classes.
 */
import { tagHighlighter, tags } from '@lezer/highlight'

export const codeColours = tagHighlighter([
  { tag: tags.keyword, class: 'code-keyword' },
  { tag: [tags.typeName, tags.className], class: 'code-type' },
  { tag: [tags.string, tags.character], class: 'code-string' },
  { tag: [tags.number, tags.bool, tags.null], class: 'code-number' },
  { tag: tags.comment, class: 'code-comment' },
  { tag: [tags.meta, tags.processingInstruction], class: 'code-meta' },
  { tag: tags.function(tags.variableName), class: 'code-function' },
])
