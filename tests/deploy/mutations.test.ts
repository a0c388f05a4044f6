import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MUTATIONS } from '../../scripts/mutants/mutations.ts'
import { ROOT } from '../../scripts/root.ts'

test('the code holds the text of each mutation once, so that `npm run mutants` can make it', () => {
  const faults = MUTATIONS.filter(
    ({ file, from }) => readFileSync(join(ROOT, file), 'utf8').split(from).length !== 2,
  )
  expect(faults.map(({ name, file }) => `${name}: ${file}`)).toEqual([])
})

test('each mutation has a name of its own, and tests that are there', () => {
  const names = MUTATIONS.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  const missing = MUTATIONS.filter(({ tests }) => !existsSync(join(ROOT, tests)))
  expect(missing.map(({ name, tests }) => `${name}: ${tests}`)).toEqual([])
})
