import { describe, expect, it } from 'vitest'
import { signInMessage } from '../../web/lib/sign-in-message.ts'
import { ApiError } from '../../web/lib/api-error.ts'

const limit = refusal(429, 'Too many', null, 61)

function refusal(status: number, message: string, data: unknown = null, retryAfter?: number) {
  return new ApiError({ status, code: 'any', message, data, retryAfterSeconds: retryAfter })
}

describe('signInMessage', () => {
  it.each([
    ['a wrong password', refusal(403, 'Login Failed'), { key: 'ERR001' }],
    [
      'an account that is not active',
      refusal(403, 'Invalid User', { host: 'school.example' }),
      { key: 'ERR002', host: 'school.example' },
    ],
    [
      'the same without a host',
      refusal(403, 'Invalid User'),
      { key: 'ERR002', host: 'judge.example' },
    ],
    ['too many tries', limit, { key: 'LIMIT', error: limit }],
    ['a failing server', refusal(500, 'Oops!'), { key: 'UNKNOWN' }],
    ['no answer', refusal(0, 'TypeError'), { key: 'UNKNOWN' }],
    ['anything else that is thrown', new TypeError('x'), { key: 'UNKNOWN' }],
  ])('tells %s', (_, error, expected) => {
    expect(signInMessage(error, 'judge.example')).toEqual(expected)
  })
})
