import { expect, it } from 'vitest'
import { withFilter } from '../../web/lib/navigation/address-filter.ts'

it('one filter in the address changes, the others stay', () => {
  const query = new URLSearchParams('problemId=1&status=0')
  expect(withFilter(query, 'status', '').toString()).toBe('problemId=1')
  expect(withFilter(query, 'username', 'ann').toString()).toBe('problemId=1&status=0&username=ann')
})
