import { expect, test } from 'vitest'
import { roughWait } from '../../web/features/submissions/waiting-text.ts'

test.each([
  [1, { key: 'waitMoment' }],
  [9, { key: 'waitMoment' }],
  [10, { key: 'waitSeconds', count: 10 }],
  [11, { key: 'waitSeconds', count: 20 }],
  [50, { key: 'waitSeconds', count: 50 }],
  [51, { key: 'waitMinutes', count: 1 }],
  [61, { key: 'waitMinutes', count: 2 }],
])('%i s are told as %j', (seconds, expected) => {
  expect(roughWait(seconds)).toEqual(expected)
})
