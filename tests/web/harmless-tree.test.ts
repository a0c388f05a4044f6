import { fromMarkdown } from 'mdast-util-from-markdown'
import { toHast } from 'mdast-util-to-hast'
import { expect, it } from 'vitest'
import { makeHarmless } from '../../web/components/harmless-tree.ts'

function read(text: string): string {
  const tree = toHast(fromMarkdown(text), { allowDangerousHtml: true })
  makeHarmless(tree)
  return JSON.stringify(tree)
}

it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'vbscript:x', 'data:text/html,x'])(
  'empties an address that could run something: %s',
  (address) => {
    expect(read(`*a [b](${address})*`)).toContain('"href":""')
    expect(read(`![b](${address})`)).toContain('"src":""')
  },
)

it.each(['https://example.org/a?b=c#d', 'mailto:a@example.org', '/course/a:b', '#top', 'a/b'])(
  'leaves %s as it is',
  (address) => {
    expect(read(`[b](${address})`)).toContain(`"href":"${address}"`)
  },
)

it('shows HTML as the text it was typed as', () => {
  const shown = read('a <b onclick="x">c</b>\n\n<script>d()</script>')
  expect(shown).not.toContain('"raw"')
  expect(shown).toContain('<script>d()</script>')
})
