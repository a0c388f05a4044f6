/** How `npm run sentences` finds sentences in texts, pages and comments, and draws some. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../scripts/root.ts'
import { commentsOf, countWords, paragraphsOf, sentencesOf } from '../../scripts/sentences.ts'

function draw(...args: string[]): string[] {
  const command = [join(ROOT, 'scripts/draw-sentences.ts'), ...args]
  return execFileSync(process.execPath, command, { encoding: 'utf8', stdio: 'pipe' })
    .split('\n')
    .filter((line) => line.startsWith('- '))
}

test('a text ends a sentence where a full stop, a blank and a capital follow each other', () => {
  expect(sentencesOf('Write it, e.g. 1.5 MB. “Next” is read. {count} more? Yes')).toEqual([
    'Write it, e.g. 1.5 MB.',
    '“Next” is read.',
    '{count} more?',
    'Yes',
  ])
})

test('a blank is a word, a sign is none', () => {
  expect(countWords('{solved} of {all} solved – no + sign')).toBe(6)
})

test('a page gives its paragraphs and points without headings, tables and code', () => {
  const page =
    '# Head\n\nOne\ngoes [on](x.md).\n\n```sh\nnpm test\n```\n- a point\n  of two lines\n- another\n\n| a | b |\n'
  expect(paragraphsOf(page)).toEqual(['One goes on.', 'a point of two lines', 'another'])
})

test('comment lines below each other are one text', () => {
  const code =
    '// One\n// goes on.\nconst a = 1\n/**\n * Two.\n * @param b three\n */\nconst b = 2 // Four\n'
  expect(commentsOf('a.ts', code)).toEqual(['One goes on.', 'Two.', '@param b three', 'Four'])
})

test('a seed draws the same different sentences of every kind each time, another seed others', () => {
  const drawn = draw('--seed', '3', '--count', '30')
  expect(new Set(drawn).size).toBe(30)
  expect(drawn.filter((line) => line.includes('english.json: ')).length).toBeGreaterThan(0)
  expect(drawn.filter((line) => /^- [\w/.-]+\.md: /.test(line))).toHaveLength(10)
  expect(drawn.filter((line) => /^- [\w/.-]+\.tsx?: /.test(line)).length).toBeGreaterThan(9)
  expect(draw('--seed', '3', '--count', '30')).toEqual(drawn)
  expect(draw('--seed', '4', '--count', '30')).not.toEqual(drawn)
})

test('a count that is no number is named', () => {
  expect(() => draw('--count', 'many')).toThrow('--count needs a whole number, not “many”.')
})
