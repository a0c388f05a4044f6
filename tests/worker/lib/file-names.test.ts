/** Names of people and problems become names of files that no system refuses, and that leave no folder. */
import { expect, test } from 'vitest'
import { toFileName } from '../../../worker/lib/file-names.ts'

test.each([
  ['A plus B', 'A plus B'],
  ['王/小明', '王_小明'],
  ['..', '_'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['C:\\Windows', 'C__Windows'],
  ['a\0b\r\nc\u202Ed', 'a_b__c_d'],
  ['  ends with dots. . ', 'ends with dots'],
  ['CON', '_CON'],
  ['nul .txt', '_nul .txt'],
  ['com¹', '_com¹'],
  ['console', 'console'],
  ['', '_'],
  ['\uD800', '\uFFFD'],
  ['e\u0301', 'é'],
])('%j is %j', (name, file) => {
  expect(toFileName(name)).toBe(file)
})

test.each(['x', '王', '😀', 'e\u0301'])('ten thousand of %j fit a file system', (letter) => {
  const file = toFileName(letter.repeat(10_000))
  expect(file.length).toBeGreaterThan(70)
  expect(Buffer.byteLength(`${file}.cpp`)).toBeLessThan(255)
  expect(file).toBe(file.toWellFormed())
})
