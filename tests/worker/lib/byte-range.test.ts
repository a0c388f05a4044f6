/** What a Range header asks for. */
import { expect, test } from 'vitest'
import { byteRange } from '../../../worker/lib/byte-range.ts'

test.each([
  ['bytes=0-0', { offset: 0, length: 1 }],
  ['bytes=3-7', { offset: 3, length: 5 }],
  ['bytes=3-', { offset: 3, length: 7 }],
  ['bytes=3-99', { offset: 3, length: 7 }],
  ['bytes=-4', { offset: 6, length: 4 }],
  ['bytes=-99', { offset: 0, length: 10 }],
  ['bytes=9-', { offset: 9, length: 1 }],
  ['bytes=10-', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=7-3', undefined],
  ['bytes=4-3', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['rows=0-1', undefined],
  ['bytes=0-1 ', undefined],
  ['x bytes=0-1', undefined],
  ['bytes=a-b', undefined],
  [`bytes=0-${'1'.repeat(16)}`, undefined],
  [undefined, undefined],
])('of ten bytes %s is %j', (header, range) => {
  expect(byteRange(header, 10)).toEqual(range)
})
