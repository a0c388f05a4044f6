import { fromMarkdown } from 'mdast-util-from-markdown'
import { toHast } from 'mdast-util-to-hast'
import { describe, expect, it } from 'vitest'
import { imagesElsewhere, makeHarmless } from '../../web/components/markdown/parse/harmless-tree.ts'
import { siteOf } from '../../web/lib/text/text-address.ts'

const SITE = siteOf('https://judge.example.org/', '/api')
const FILE = '/api/file/0123456789abcdef01234567'
const CAT = 'https://elsewhere.example/cat.png'

function treeOf(text: string) {
  const tree = toHast(fromMarkdown(text), { allowDangerousHtml: true })
  makeHarmless(tree, SITE)
  return tree
}

function read(text: string): string {
  return JSON.stringify(treeOf(text), (key, value: unknown) =>
    key === 'position' ? undefined : value,
  )
}

it.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  '/api/auth/session',
  '../%61pi/submission/x/rejudge',
  '<//judge.example.org:8443/a\tpi/auth/session>',
  'https://user:pass@JUDGE.example.org./api/file/../submission/x/rejudge',
])('a link to %s leads nowhere, an image of it is its text', (address) => {
  expect(read(`*a [b](${address})*`)).toContain('"href":""')
  expect(read(`[b]\n\n[b]: ${address}`)).toContain('"href":""')
  for (const image of [`![b](${address})`, `[![b](${address})](/x)`, `![b]\n\n[b]: ${address}`])
    expect(read(image)).not.toMatch(/"src"|"img"|data-?image/i)
  expect(read(`a ![b](${address}) c`)).toContain('{"type":"text","value":"b"}')
})

it('a link that is its own text leads nowhere where it is a call of the API', () => {
  expect(read('<https://judge.example.org/api/auth/session>')).toContain('"href":""')
})

it('every attribute that carries an address is looked at', () => {
  const tree = treeOf('a')
  if (tree.type !== 'root') throw new Error('no root')
  const properties = { cite: '/api/x', poster: '//judge.example.org/api/x', background: '/ok' }
  tree.children = [{ type: 'element', tagName: 'blockquote', properties, children: [] }]
  makeHarmless(tree, SITE)
  expect(tree.children[0]).toMatchObject({
    properties: { cite: '', poster: '', background: '/ok' },
  })
})

it.each(['https://example.org/a?b=c#d', 'mailto:a@example.org', '/course/a:b', '#top', 'a/b'])(
  'leaves a link to %s as it is',
  (address) => {
    expect(read(`[b](${address})`)).toContain(`"href":"${address}"`)
  },
)

describe('an image', () => {
  it.each([FILE, '/favicon.svg'])('of one’s own is shown: %s', (address) => {
    expect(read(`![b](${address})`)).toContain(
      `"tagName":"img","properties":{"src":"${address}","alt":"b"}`,
    )
  })

  it('from elsewhere becomes a link with its description', () => {
    const link = `"tagName":"a","properties":{"href":"${CAT}","title":"c","dataImage":"${CAT}"}`
    expect(read(`![b](${CAT} "c")`)).toContain(`${link},"children":[{"type":"text","value":"b"}]`)
    expect(read(`![b](${CAT} "c")`)).not.toMatch(/"img"|"src"/)
  })

  it.each([CAT, '//elsewhere.example/cat.png', 'https://judge.example.org:8443/cat.png'])(
    'from elsewhere without a description becomes a link with its address: %s',
    (address) => {
      expect(read(`![](${address})`)).toContain(
        `"dataImage":"${address}"},"children":[{"type":"text","value":"${address}"}]`,
      )
    },
  )

  it('from elsewhere that is in a link leaves that link alone', () => {
    const text = read(`[*![b](${CAT})*](/course/Demo)`)
    expect(text.match(/"tagName":"a"/g)).toHaveLength(1)
    expect(text).toContain(`"tagName":"span","properties":{"dataImage":"${CAT}"}`)
  })

  it.each(['', 'mailto:a@example.org'])('with the address “%s” is its text', (address) => {
    expect(read(`![b](${address})`)).toContain('"children":[{"type":"text","value":"b"}]')
  })
})

it('the images from elsewhere are told, each once', () => {
  const dog = '//elsewhere.example/dog.png'
  const text = `![a](${CAT}) ![b](${FILE}) [c](${CAT})\n\n> - [![d](${dog})](/x) ![e](${CAT})`
  expect(imagesElsewhere(treeOf(text))).toEqual([CAT, dog])
  expect(imagesElsewhere(treeOf(`[c](${CAT})`))).toEqual([])
})

it('shows HTML as the text it was typed as', () => {
  const shown = read('a <b onclick="x">c</b>\n\n<script>d()</script>')
  expect(shown).not.toContain('"raw"')
  expect(shown).toContain('<script>d()</script>')
})
