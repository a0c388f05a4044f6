/** Splits Figtree's Latin letters into two files: one for nearly every text, and one that only pages with rarer letters load. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'
import { withSlashes } from './web-weight.ts'

/** ASCII and the signs in the app's texts. */
const BASIC = 'U+20-7E,U+A0,U+B7,U+D7,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026,U+2212'

/** Keeps only what the styles use: no features for fractions, no thinner or bolder letters. */
const OPTIONS = {
  targetFormat: 'woff2' as const,
  keepFeatures: ['ccmp', 'kern', 'locl', 'mark', 'mkmk', 'rvrn', 'tnum'],
  variationAxes: { wght: { min: 400, max: 700 } },
}

const LATIN =
  /@font-face \{[^}]*url\((\S*-latin-wght-normal\.woff2)\)[^}]*unicode-range: (.*);\s*\}/

/** The characters of a `unicode-range` of CSS. */
export function charactersOf(range: string): string[] {
  return range.split(',').flatMap((part) => {
    const [first = 0, last = first] = part
      .replace('U+', '')
      .split('-')
      .map((code) => Number.parseInt(code, 16))
    return Array.from({ length: last - first + 1 }, (_, index) =>
      String.fromCodePoint(first + index),
    )
  })
}

/**
 * Replaces the Latin file by two files.
 * @param css the package's rules, which name files of `folder`
 * @param write stores a file and returns its address
 */
export async function cutLatin(
  css: string,
  folder: string,
  write: (name: string, font: Uint8Array) => Promise<string>,
): Promise<string> {
  const found = LATIN.exec(css)
  if (found === null) throw new Error('The font has no Latin file.')
  const [rule, path = '', range = ''] = found
  const font = await readFile(join(folder, path))
  const basic = charactersOf(BASIC)
  const rest = charactersOf(range).filter((character) => !basic.includes(character))
  const files = [
    { name: 'latin-rest', characters: rest, unicodeRange: range },
    // Browsers take the later rule for a character that is in both ranges.
    { name: 'latin-basic', characters: basic, unicodeRange: BASIC },
  ]
  const rules = await Promise.all(
    files.map(async ({ name, characters, unicodeRange }) => {
      const address = await write(name, await subsetFont(font, characters.join(''), OPTIONS))
      return rule.replace(path, address).replace(range, unicodeRange)
    }),
  )
  return css.replace(rule, rules.join('\n\n'))
}

/** The plugin for vite's configuration. */
export function cutFont(): Plugin {
  let files = ''
  return {
    name: 'cut-font',
    enforce: 'pre',
    configResolved({ cacheDir }) {
      files = join(cacheDir, 'fonts')
    },
    transform: {
      filter: { id: /[\\/]figtree[\\/]index\.css$/ },
      async handler(css, id) {
        const folder = dirname(id)
        await mkdir(files, { recursive: true })
        return cutLatin(css, folder, async (name, font) => {
          const file = join(files, `figtree-${name}.woff2`)
          await writeFile(file, font)
          return withSlashes(relative(folder, file))
        })
      },
    },
  }
}
