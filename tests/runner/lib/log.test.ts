import { expect, it } from 'vitest'
import { describeError } from '../../../runner/lib/log.ts'

it('an error is told with its causes, four at most, each by its message or its name', () => {
  const chain = ['fifth', 'fourth', 'third', '', 'first'].reduce<Error | undefined>(
    (cause, message) => new TypeError(message, { cause }),
    undefined,
  )
  expect(describeError(chain)).toBe('first: TypeError: third: fourth')
  expect(describeError('no error')).toBe('no error')
  expect(describeError(new Error('x'.repeat(2_000)))).toHaveLength(1_000)
})
