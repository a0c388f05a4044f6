import { toText } from 'hast-util-to-text'
import type { Nodes } from 'hast'
import { describe, expect, it } from 'vitest'
import {
  loadMarkdownPart,
  readText as read,
} from '../../web/components/markdown/parse/read-markdown.ts'
import { siteOf } from '../../web/lib/text/text-address.ts'

const readText = (text: string) => read(text, siteOf('https://judge.example.org/', '/api'))

/** Formulas as `inline:` or `display:` with their source, and code as `code:`, in the order of the text. */
function partsOf(text: string): string[] {
  const tree = readText(text)?.tree
  const parts: string[] = []
  function look(node: Nodes, isDisplay = false): void {
    if (node.type !== 'element' && node.type !== 'root') return
    const name = node.type === 'element' ? node.tagName : ''
    const classes = node.type === 'element' ? String(node.properties['className'] ?? '') : ''
    if (name === 'annotation') parts.push(`${isDisplay ? 'display' : 'inline'}:${toText(node)}`)
    else if (name === 'code') parts.push(`code:${toText(node)}`)
    else for (const child of node.children) look(child, isDisplay || /katex-display/.test(classes))
  }
  if (tree) look(tree)
  return parts.map((part) => part.replaceAll(/\s+/g, ' ').replace(': ', ':').trim())
}

describe('formulas', () => {
  it('stand there as typed until what renders them is loaded', async () => {
    expect(readText('for $n$ of `$m$`')).toMatchObject({
      tree: {
        children: [{ children: [{ value: 'for ' }, { children: [{ value: 'n' }] }, {}, {}] }],
      },
      lacksFormulas: true,
    })
    expect(readText('for 5 $ of `m`')).toMatchObject({ lacksFormulas: false })
    await loadMarkdownPart('formulas')
    expect(readText('for $n$ of `$m$`')).toMatchObject({ lacksFormulas: false })
  })

  it.each([
    ['$a$', ['inline:a']],
    ['$$a$$', ['display:a']],
    ['so $$a$$ holds', ['display:a']],
    ['$$\na\n$$', ['display:a']],
    ['\\(a\\)', ['inline:a']],
    ['so \\( a_1 \\) and \\(b_2\\)', ['inline:a_1', 'inline:b_2']],
    ['\\[a\\]', ['display:a']],
    ['so \\[a\\] holds', ['display:a']],
    ['\\[\na\n+ b\n= c\n\\]', ['display:a + b = c']],
    ['so\n\\[\na\n- b\n\\]\nholds \\(c\\)', ['display:a - b', 'inline:c']],
    ['- x\n  \\[\n  a\n  \\]\n- \\(b\\)', ['display:a', 'inline:b']],
    ['> \\[\n> a\n> \\]', ['display:a']],
    [
      '\\(\\begin{pmatrix} a \\\\ b \\end{pmatrix}\\)',
      ['inline:\\begin{pmatrix} a \\\\ b \\end{pmatrix}'],
    ],
    ['\\(a\\\\)b\\)', ['inline:a\\\\)b']],
    ['**\\(a\\)**', ['inline:a']],
    ['| \\(a\\) |\n| --- |\n| $$b$$ |', ['inline:a', 'display:b']],
  ])('%j', (text, parts) => {
    expect(partsOf(text)).toEqual(parts)
  })

  it.each([
    ['`\\(a\\)`', ['code:\\(a\\)']],
    ['```\n\\[a\\]\n$$b$$\n```', ['code:\\[a\\] $$b$$']],
    ['    \\[a\\]', ['code:\\[a\\]']],
    ['\\\\(a\\\\)', []],
    ['\\(a', []],
    ['\\[a\n\nb\\]', []],
    ['f\\(\\)', []],
    ['\\(a\\]', []],
    ['\\$a\\$', []],
  ])('none in %j', (text, parts) => {
    expect(partsOf(text)).toEqual(parts)
  })
})

describe('callouts', () => {
  function calloutOf(text: string): [unknown, string] | null {
    const first = readText(text)?.tree.children[0]
    if (first?.type !== 'element' || first.tagName !== 'aside') return null
    return [first.properties['dataCallout'], toText(first).trim()]
  }

  it.each(['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION', 'Note'])('[!%s]', (kind) => {
    expect(calloutOf(`> [!${kind}]\n> Read **this**.`)).toEqual([kind.toLowerCase(), 'Read this.'])
  })

  it('with the text in a paragraph of its own, after a hard break, or with none', () => {
    expect(calloutOf('> [!NOTE]\n>\n> Text')).toEqual(['note', 'Text'])
    expect(calloutOf('> [!NOTE]  \n> Text')).toEqual(['note', 'Text'])
    expect(calloutOf('> [!NOTE]')).toEqual(['note', ''])
  })

  it.each([
    '> [!NOTE] on the same line',
    '> [!NOTE]**bold**',
    '> [!OTHER]\n> Text',
    '[!NOTE]\nText',
    '> Text\n> [!NOTE]',
  ])('not in %j', (text) => {
    expect(calloutOf(text)).toBeNull()
  })
})

it('tables are tables, and scripts text', () => {
  const tree = readText('| a |\n| - |\n| <script>x</script> |')
  expect(JSON.stringify(tree)).toMatch(/"tagName":"table"/)
  expect(JSON.stringify(tree)).not.toMatch(/"tagName":"script"|"raw"/)
})

it('named characters are what they stand for once their table is loaded', async () => {
  const lastWord = () => JSON.stringify(readText('x &amp; &hearts; &nosuch; &#65;')?.tree)
  await loadMarkdownPart('characters')
  expect(lastWord()).toContain('"x & ♥ &nosuch; A"')
})
