/** Keys that belong to an input method, not to the page. */
import { expect, test } from 'vitest'
import { isInputMethodKey } from '../../web/lib/text/input-method.ts'

test.each([
  ['while a word is typed', { isComposing: true, keyCode: 13 }, true],
  ['as Chrome says it', { isComposing: true, keyCode: 229 }, true],
  ['that ends a word in Safari', { isComposing: false, keyCode: 229 }, true],
  ['after the word', { isComposing: false, keyCode: 13 }, false],
])('an Enter %s belongs to the input method or not', (_, key, expected) => {
  expect(isInputMethodKey(key)).toBe(expected)
})
