/** Characters that resemble those of code: full-width and typographic characters, odd blanks, characters without a width. */
import { describe, expect, it } from 'vitest'
import { MisplacedList } from '../../web/components/code/misplaced-notes.tsx'
import { findMisplaced } from '../../web/lib/text/find-misplaced.ts'
import { shortNote } from '../../web/lib/text/misplaced.ts'
import { itemsOf, render } from './fixtures/rendered.tsx'

describe('what is misplaced', () => {
  it('in C++ is found by its line, each character once', async () => {
    const code = [
      '#include <cstdio>',
      'int main（）{',
      '\u00a0 puts(“a”)；；',
      '  return\u200b 0 – 1;\u3000',
      '}',
    ].join('\n')
    const found = await findMisplaced(code, 'cpp')
    expect(found.map(({ line, character }) => `${line}${character}`)).toEqual([
      '2（',
      '2）',
      '3\u00a0',
      '3“',
      '3”',
      '3；',
      '4\u200b',
      '4–',
      '4\u3000',
    ])
  })

  it('in a program of full length is found without the page standing still', async () => {
    await findMisplaced('', 'cpp') // Loads the grammar.
    const begun = performance.now()
    const found = await findMisplaced('；\n'.repeat(16_000), 'cpp')
    expect(found.at(-1)).toEqual({ line: 16_000, character: '；' })
    expect(performance.now() - begun).toBeLessThan(4_000)
  })

  it('in Python is found, too; full-width letters are letters there', async () => {
    expect(await findMisplaced('ｘ = 1\nprint(ｘ， ２）\n', 'python')).toEqual([
      { line: 2, character: '，' },
      { line: 2, character: '２' },
      { line: 2, character: '）' },
    ])
  })

  it.each([
    ['cpp', '// 好；\u3000“\n/* （） */ char c = \'a\'; auto s = "；\u00a0\u200b", r = R"(，)";'],
    ['python', "# 好；\ns = \"；\" + f\"（{s}）\u00a0\" + '''，\u3000\n“'''"],
    ['cpp', 'int größe = 1; int 變數 = größe;'],
  ] as const)('is nothing in strings, comments and names: %s %s', async (mode, code) => {
    expect(await findMisplaced(code, mode)).toEqual([])
  })
})

it.each([
  ['；', 'U+FF1B → ;'],
  ['”', 'U+201D → "'],
  ['。', 'U+3002 → .'],
  ['\u00a0', 'U+00A0'],
  ['\u200b', 'U+200B'],
])('in the editor the mark of %s says %s', (character, note) => {
  expect(shortNote(character)).toBe(note)
})

it('each is named beside the message of the compiler, with what to write', () => {
  const characters = ['；', '”', '\u00a0', '\ufeff', '、', '（', '）']
  const found = characters.map((character, index) => ({ line: index + 4, character }))
  expect(itemsOf(render(<MisplacedList found={found} />))).toEqual([
    'Line 4 has a full-width `；` (U+FF1B). Write `;`.',
    'Line 5 has a typographic `”` (U+201D). Write `"`.',
    'Line 6 has an unusual space (U+00A0). Replace the character with a normal space.',
    'Line 7 has an invisible character (U+FEFF). Delete the character, or type the line again.',
    'Line 8 has a full-width `、` (U+3001). Write `,`.',
    '2 more characters like these',
  ])
})
