import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { charactersOf, cutLatin } from '../../scripts/bundle/cut-font.ts'
import { english } from './fixtures/catalogues.ts'

const path = fileURLToPath(import.meta.resolve('@fontsource-variable/figtree/index.css'))

it('what most texts need of the font is half of it', async () => {
  const sizes: Record<string, number> = {}
  const css = await cutLatin(readFileSync(path, 'utf8'), dirname(path), (name, font) => {
    sizes[name] = font.length
    return Promise.resolve(`./${name}.woff2`)
  })
  const rules = [...css.matchAll(/url\((.*?)\)[^}]*unicode-range: (.*);/g)]
  expect(rules.map(([, url]) => url)).toEqual([
    './files/figtree-latin-ext-wght-normal.woff2',
    './latin-rest.woff2',
    './latin-basic.woff2',
  ])
  expect(sizes['latin-basic']).toBeLessThan(11_000)
  expect(sizes['latin-rest']).toBeLessThan(11_000)

  const [, rest = [], basic = []] = rules.map(([, , range = '']) => charactersOf(range))
  expect(rest).toContain('é')
  expect(basic).not.toContain('é')
  const letters = new Set(JSON.stringify(english))
  expect([...letters].filter((letter) => !basic.includes(letter))).toEqual([])
})

it('says that a font has no Latin file', async () => {
  await expect(cutLatin('', '', () => Promise.resolve(''))).rejects.toThrow('no Latin file')
})
