/** How deep a JSON text is nested. */
import { expect, test } from 'vitest'
import { isDeeperThan } from '../../../worker/lib/json-depth.ts'

test.each([
  ['1', 0],
  ['[]', 1],
  ['{}', 1],
  ['[{}]', 2],
  ['{"a": [[1], [2]]}', 3],
  ['[[], [], {}, {}]', 2],
  ['[{}, {}, [[]]]', 3],
  ['["[[[["]', 1],
  ['["{{{{"]', 1],
  ['["\\"[[["]', 1],
  ['["\\\\", [[]]]', 3],
  ['["a", "b", ["c"]]', 2],
  ['["字]", []]', 2],
])('%s is %i deep', (text, depth) => {
  const bytes = new TextEncoder().encode(text)
  expect(isDeeperThan(depth, bytes)).toBe(false)
  if (depth > 0) expect(isDeeperThan(depth - 1, bytes)).toBe(true)
})

test('only what is open at once counts, in a text of many brackets', () => {
  const shallow = new TextEncoder().encode(`[${'[{}],'.repeat(50)}"[[[[[[["]`)
  expect(isDeeperThan(3, shallow)).toBe(false)
  expect(isDeeperThan(2, shallow)).toBe(true)
})

test.each(['"never ends [[[', '"ends in a backslash \\'])('%s has an end', (text) => {
  expect(isDeeperThan(0, new TextEncoder().encode(text))).toBe(false)
})
