import { expect, test } from 'vitest'
import { changesFor, changesOf } from '../../web/lib/drafts/kept-form.ts'

const STORED = { name: '', tags: ['a'], rows: [{ input: '' }], hidden: true }

test('only what somebody has changed is kept, so that the rest comes back as it is stored by then', () => {
  const now = { ...STORED, name: 'Sum', rows: [{ input: '1' }], tags: ['a'] }
  expect(changesOf(STORED, now)).toEqual({
    name: { was: '', is: 'Sum' },
    rows: { was: [{ input: '' }], is: [{ input: '1' }] },
  })
  expect(changesOf(STORED, { ...STORED })).toEqual({})
})

test('what somebody else has stored meanwhile is not overwritten, and what has been stored is no change', () => {
  const kept = changesOf(STORED, { ...STORED, name: 'Sum', tags: ['a', 'b'], hidden: false })
  const storedBy = { ...STORED, name: 'Total', hidden: false }
  expect(changesFor(storedBy, kept)).toEqual({ tags: ['a', 'b'] })
  expect(changesFor(STORED, { gone: { was: 1, is: 2 } })).toEqual({})
})
