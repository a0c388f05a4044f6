/** Which of Mantine's styles the app has (web/styles/mantine.css); the build fails where they are not those of its components. */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { type BuiltFiles, withSlashes } from './web-weight.ts'

/** What belongs to no component. */
const GENERAL = ['baseline', 'default-css-variables', 'global']

/** The names in `@import '@mantine/core/styles/Name.css'`. */
function importedStyles(css: string): string[] {
  return [...css.matchAll(/@mantine\/core\/styles\/([\w-]+)\.css/g)].map(([, name = '']) => name)
}

/** The components whose class names went into the build. */
function styledComponents(files: BuiltFiles): string[] {
  const ids = Object.values(files).flatMap(({ moduleIds = [] }) => moduleIds.map(withSlashes))
  return ids.flatMap((id) => /\/@mantine\/core\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1] ?? [])
}

/**
 * One sentence for each style that is missing, and for each that nothing needs.
 * @param css the text of web/styles/mantine.css
 */
export function wrongStyles(files: BuiltFiles, css: string): string[] {
  const imported = importedStyles(css)
  const needed = [...new Set([...GENERAL, ...styledComponents(files)])]
  return [
    ...needed
      .filter((name) => !imported.includes(name))
      .map((name) => `Import ${name}.css, which the app needs.`),
    ...imported
      .filter((name) => !needed.includes(name))
      .map((name) => `Leave out ${name}.css: nothing needs it.`),
  ]
}

/** For vite's configuration. @param path of web/styles/mantine.css */
export function mantineStyles(path: string): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    generateBundle(_, bundle) {
      const wrong = wrongStyles(bundle, readFileSync(path, 'utf8'))
      if (wrong.length > 0) this.error({ message: `${path}:\n${wrong.join('\n')}`, stack: '' })
    },
  }
}
