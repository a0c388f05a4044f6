import { expect, test } from 'vitest'
import { changedFields, fittingFields } from '../../web/lib/kept-form.ts'

const INITIAL = { name: '', quota: '', tags: ['a'], rows: [{ input: '' }], hidden: true }

test('only what somebody has changed is kept, so that the rest comes back as it is stored by then', () => {
  const now = { ...INITIAL, name: 'Sum', rows: [{ input: '1' }], tags: ['a'] }
  expect(changedFields(INITIAL, now)).toEqual({ name: 'Sum', rows: [{ input: '1' }] })
  expect(changedFields(INITIAL, { ...INITIAL })).toEqual({})
})

test('of kept fields only those come back that the form still has, of the same kind', () => {
  const kept = { name: 'Sum', quota: 3, tags: 'a,b', rows: { input: '1' }, gone: 'x', hidden: null }
  expect(fittingFields(INITIAL, kept)).toEqual({ name: 'Sum', quota: 3 })
})
