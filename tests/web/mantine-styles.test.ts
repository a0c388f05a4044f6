import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { styleSheetsOf } from '../../scripts/bundle/mantine-styles.ts'

const components = fileURLToPath(new URL('esm/', import.meta.resolve('@mantine/core/styles.css')))

it('the style sheet of each component of Mantine has its class names', () => {
  const files = globSync('**/*.module.mjs', { cwd: components })
  expect(files.length).toBeGreaterThan(50)
  for (const path of files) {
    const sheet = fileURLToPath(import.meta.resolve(styleSheetsOf(`/${path}`).at(-1) ?? ''))
    const names = readFileSync(components + path, 'utf8').match(/m_[0-9a-f]+/g) ?? []
    const css = readFileSync(sheet, 'utf8')
    expect(
      names.some((name) => css.includes(`.${name}`)),
      path,
    ).toBe(true)
  }
})

it('takes the name of a component from any path', () => {
  const path = 'C:\\x\\node_modules\\@mantine\\core\\esm\\components\\Button\\Button.module.mjs'
  expect(styleSheetsOf(path)).toEqual(['@mantine/core/styles/Button.css'])
})

it('puts what a component changes before it', () => {
  expect(styleSheetsOf('/Menu/Menu.module.mjs')).toEqual([
    '@mantine/core/styles/Popover.css',
    '@mantine/core/styles/Menu.css',
  ])
})
