/** Loads Mantine's styles with the components that need them. */
import type { Plugin } from 'vite'
import { withSlashes } from './web-weight.ts'

/** The component whose styles a component's styles change, so that they have to come after these. */
const BASES: Record<string, string> = {
  Combobox: 'Popover',
  Drawer: 'ModalBase',
  Menu: 'Popover',
  Modal: 'ModalBase',
}

/** The style sheets of a component, by the path of its class names. */
export function styleSheetsOf(path: string): string[] {
  const [, name = ''] = /\/(\w+)\.module\.mjs$/.exec(withSlashes(path)) ?? []
  const names = [BASES[name] ?? [], name].flat()
  return names.map((each) => `@mantine/core/styles/${each}.css`)
}

/** The plugin of the build, for vite's configuration. */
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

/** The plugin of the dev server, for vite's configuration: it bundles Mantine beforehand, so its page has all styles at once. */
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
