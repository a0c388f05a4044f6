import { expect, it } from 'vitest'
import { pulledTickets } from '../../../runner/server/tickets.ts'

const judgementId = 'a'.repeat(24)
const GOOD = { v: 1, judgementId }
const base64 = (text: string) => Buffer.from(text).toString('base64')

it.each<[string, unknown, string | null]>([
  ['JSON in base64', base64(JSON.stringify(GOOD)), judgementId],
  ['JSON as text', JSON.stringify(GOOD), judgementId],
  ['an object', GOOD, judgementId],
  ['another version', { ...GOOD, v: 2 }, null],
  ['no id', { v: 1 }, null],
  ['text that is none', 'nonsense', null],
  ['nothing', null, null],
])('a ticket may come as %s', (_what, body, id) => {
  const pulled = pulledTickets.parse({
    success: true,
    result: { messages: [{ lease_id: 'x', body, id: 'y' }] },
  })
  expect(pulled).toEqual([{ leaseId: 'x', judgementId: id }])
})

it('an answer that is no success is none', () => {
  const answer = { success: false, result: { messages: [] } }
  expect(pulledTickets.safeParse(answer).success).toBe(false)
})
