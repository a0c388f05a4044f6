import { expect, it } from 'vitest'
import { markdownOf } from '../../web/features/problems/edit/use-problem-files.ts'
import { insertionPoint } from '../../web/lib/text/table-caret.ts'

/** The text with `X` inserted at the caret `^`. */
function inserted(marked: string): string {
  const caret = marked.indexOf('^')
  const text = marked.replace('^', '')
  const at = insertionPoint(text, caret)
  return `${text.slice(0, at)}X${text.slice(at)}`
}

it.each([
  ['behind the last bar goes into the last cell', '| a | b |^\n| - | - |', '| a | b X|\n| - | - |'],
  ['before the first bar goes into the first cell', 't\n^| a | b |', 't\n|X a | b |'],
  ['within a cell stays there', '| a | b^ |', '| a | bX |'],
  ['on a line of text stays there', 'a | b^', 'a | bX'],
  ['on an empty line below a table stays there', '| a |\n^', '| a |\nX'],
])('an image pasted %s', (_, marked, expected) => {
  expect(inserted(marked)).toBe(expected)
})

it('a bar or bracket in the name of a file ends neither a cell nor the title', () => {
  const file = { fileId: 'f'.repeat(24), name: 'a|b[1].png', type: 'image/png', size: 1 } as const
  expect(markdownOf(file)).toMatch(/^!\[a\\\|b\\\[1\\\]\]\(/)
})
