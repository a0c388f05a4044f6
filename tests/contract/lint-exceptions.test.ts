import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = '{migrations,runner,scripts,tests,web,worker}/**/*.{ts,tsx}'

test('exceptions from lint are of one dialect, and each says why', () => {
  const files = globSync(FOLDERS, { cwd: ROOT, exclude: ['tests/contract/**'] })
  const lines = files
    .flatMap((file) => readFileSync(join(ROOT, file), 'utf8').split('\n'))
    .filter((line) => /(es|ox)lint-disable/.test(line))
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !/\boxlint-disable-next-line .+ -- \S/.test(line))).toEqual([])
})
