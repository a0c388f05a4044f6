import { expect, it } from 'vitest'
import { wrongStyles } from '../../scripts/mantine-styles.ts'

const general = ['baseline', 'default-css-variables', 'global']
  .map((name) => `@import '@mantine/core/styles/${name}.css';`)
  .join('\n')

function built(...components: string[]) {
  const moduleIds = components.map(
    (name) => `C:\\x\\node_modules\\@mantine\\core\\esm\\components\\${name}\\${name}.module.mjs`,
  )
  return { 'a.js': { type: 'chunk' as const, moduleIds } }
}

it("the styles are those of the app's components", () => {
  const css = `${general}\n@import '@mantine/core/styles/Button.css';`
  expect(wrongStyles(built('Button'), css)).toEqual([])
  expect(wrongStyles(built('Button', 'Menu'), css)).toEqual([
    'Import Menu.css, which the app needs.',
  ])
  expect(wrongStyles(built(), css)).toEqual(['Leave out Button.css: nothing needs it.'])
})
