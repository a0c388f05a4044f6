/** Mantine's styles are loaded with the components that have them. */
import type { Plugin } from 'vite'
import { withSlashes } from './web-weight.ts'

/** What a component's styles change, so it has to come before them; parts of the component may be loaded without it. */
const BASES: Record<string, string> = {
  Combobox: 'Popover',
  Drawer: 'ModalBase',
  Menu: 'Popover',
  Modal: 'ModalBase',
}

/** The style sheets that belong to a component's class names, by the path of these. */
export function styleSheetsOf(path: string): string[] {
  const [, name = ''] = /\/(\w+)\.module\.mjs$/.exec(withSlashes(path)) ?? []
  const names = [BASES[name] ?? [], name].flat()
  return names.map((each) => `@mantine/core/styles/${each}.css`)
}

/** For vite's configuration: what the build does. */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]@mantine[\\/]core[\\/].*\.module\.mjs$/ },
      handler(code, id) {
        const imports = styleSheetsOf(id).map((sheet) => `import '${sheet}'\n`)
        return { code: imports.join('') + code, map: null }
      },
    },
  }
}

/** For vite's configuration: the dev server bundles Mantine beforehand, so its page has all styles at once. */
export function allMantineStyles(): Plugin {
  return {
    name: 'all-mantine-styles',
    apply: 'serve',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]web[\\/]styles[\\/]mantine\.css$/ },
      handler: () => "@import '@mantine/core/styles.css';",
    },
  }
}
