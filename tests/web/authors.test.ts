import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseAuthors } from '../../scripts/bundle/authors.ts'

it('reads maintainers and contributors, and shows no mail address', () => {
  const text = [
    'Somebody Early',
    '',
    '# Maintainers',
    'Ada Example <https://ada.example/>',
    '# Contributors\r',
    '  陳例 <chen@example.org>\r',
  ].join('\n')
  expect(parseAuthors(text)).toEqual({
    maintainers: [{ name: 'Ada Example', link: 'https://ada.example/' }],
    contributors: [
      { name: 'Somebody Early', link: null },
      { name: '陳例', link: null },
    ],
  })
})

it('finds nobody in an empty file', () => {
  expect(parseAuthors('\n  \n')).toEqual({ maintainers: [], contributors: [] })
})

it('names maintainers and contributors of the product', () => {
  const { maintainers, contributors } = parseAuthors(readFileSync('AUTHORS', 'utf8'))
  expect(maintainers).not.toEqual([])
  expect(contributors).not.toEqual([])
})
