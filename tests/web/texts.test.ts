/** Texts as people typed them, and how they look. */
import type { Nodes } from 'hast'
import { describe, expect, it, vi } from 'vitest'
import { siteOf } from '../../web/lib/text/text-address.ts'
import { TEXTS } from './fixtures/texts.ts'

const SHOWN: Record<string, string> = { strong: 'b', em: 'i', del: 's', a: 'a', code: 'code' }

function seenOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type !== 'element' && node.type !== 'root') return ''
  const name = node.type === 'root' ? '' : node.tagName
  const inside = node.children.map(seenOf).join('')
  if (/^t[hd]$/.test(name)) return `[${inside}]`
  if (name === 'tr') return `\n${inside.replaceAll(/\n/g, '')}`
  if (/^t(able|head|body)$/.test(name)) return inside.replaceAll(/\n+/g, '\n')
  const isMath = node.type === 'element' && String(node.properties['className']).includes('math')
  const shown = isMath ? 'math' : SHOWN[name]
  return shown ? `<${shown}>${inside}</${shown}>` : inside
}

// Another test file may have loaded the renderer of formulas.
vi.resetModules()
const { readText } = await import('../../web/components/markdown/parse/read-markdown.ts')

const site = siteOf('https://judge.example.org/', '/api')

describe.each(Object.entries(TEXTS))('a text in %s', (_, texts) => {
  it.each(texts.map(([typed, seen = typed]) => [typed, seen]))('%j', (typed, seen) => {
    const read = readText(typed, site)
    expect(read && seenOf(read.tree).trim()).toBe(seen)
  })
})

it('there are sixty of them', () => {
  expect(Object.values(TEXTS).flat().length).toBeGreaterThanOrEqual(60)
})
