import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MUTATIONS } from '../../scripts/mutations.ts'
import { ROOT } from '../../scripts/root.ts'

test('the code holds the text of each mutation once, so that `npm run mutants` can make it', () => {
  const faults = MUTATIONS.filter(
    ({ file, from }) => readFileSync(join(ROOT, file), 'utf8').split(from).length !== 2,
  )
  expect(faults.map(({ name, file }) => `${name}: ${file}`)).toEqual([])
})
