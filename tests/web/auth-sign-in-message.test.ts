import { describe, expect, it } from 'vitest'
import { signInMessage } from '../../web/lib/session/sign-in-message.ts'
import { ApiError, LOCAL_ERROR_CODES } from '../../web/lib/api/api-error.ts'
import { toApiError } from '../../web/lib/api/api.ts'

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
    [
      'another page of Cloudflare',
      toApiError(503, '<h1>Error 1027</h1>', null),
      { key: 'UNKNOWN' },
    ],
    ['a failing server', refusal(500, 'Oops!'), { key: 'UNKNOWN' }],
    ['no answer', refusal(0, 'TypeError'), { key: 'UNKNOWN' }],
    ['anything else that is thrown', new TypeError('x'), { key: 'UNKNOWN' }],
  ])('tells %s', (_, error, expected) => {
    expect(signInMessage(error, 'judge.example')).toEqual(expected)
  })

  // Cloudflare's answers after it ended a Worker for its CPU time; they depend on the kind of caller.
  it.each([
    '<title>Worker exceeded resource limits | judge | Cloudflare</title><h1>Error 1102</h1>',
    'error code: 1102',
    '{"status":503,"error_code":1102}',
  ])('tells a plan with too little CPU time by %s', (text) => {
    const error = toApiError(503, text, null)
    expect(error.code).toBe(LOCAL_ERROR_CODES.cpuLimit)
    expect(signInMessage(error, 'judge.example')).toEqual({ key: 'LIMIT', error })
  })
})
