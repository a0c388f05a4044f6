/** The words of refusals and of form checks, and the field at which they appear. */
import type { UseFormReturnType } from '@mantine/form'
import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import type { FieldError } from '#contract/errors'
import { newToken } from '#contract/people/tokens'
import { resetBody } from '#contract/people/auth'
import { TimeField } from '../../web/components/forms/time-field.tsx'
import { useCourseRefusal } from '../../web/features/courses/use-course-refusal.ts'
import { ApiError } from '../../web/lib/api/api-error.ts'
import {
  useFieldText,
  useRefusedFields,
  useSchemaValidation,
} from '../../web/lib/api/field-text.ts'
import { parseTime } from '../../web/lib/format/parse-time.ts'
import { zoneName } from '../../web/lib/format/format.ts'
import { useNewPasswordValidation } from '../../web/lib/session/new-password.ts'
import { render, textOf } from './fixtures/rendered.tsx'

/** The value that a hook returns in a component. */
function resultOf<T>(hook: () => T): T {
  const results: T[] = []
  function Probe() {
    results.push(hook())
    return null
  }
  render(<Probe />)
  const [result] = results
  if (result === undefined) throw new Error('the hook gave nothing')
  return result
}

const refusal = (code: string, data: unknown = null) =>
  new ApiError({ status: 409, code, message: 'Refused.', data })

test.each([
  ['course_exists', 'newCourse', 'A course with this name already exists.'],
  ['user_not_found', 'teacher', 'No user has this name.'],
  ['teacher_is_student', 'teacher', 'A student cannot be the teacher of a course.'],
  ['email_unconfirmed', 'teacher', expect.stringMatching(/^The email address of this account/)],
  ['forbidden', null, null],
])('the refusal %s of a course is shown at the field %s', (code, field, text) => {
  const shown: unknown[] = []
  type Form = UseFormReturnType<{ newCourse: string; teacher: string }>
  const form = { setFieldError: (...at: unknown[]) => shown.push(at) } as unknown as Form
  resultOf(() => useCourseRefusal(form, 'newCourse'))(refusal(code))
  expect(shown).toEqual(field === null ? [] : [[field, text]])
})

describe('the text of a refused field', () => {
  const text = (code: string, params?: FieldError['params']) =>
    resultOf(useFieldText)({ path: [], code, message: 'As the API says.', params })

  it.each([
    ['between', { min: 1, max: 366 }, 'The value must be between 1 and 366'],
    ['common_password', undefined, expect.stringMatching(/^This password is too easy to guess/)],
    ['field_count', { found: 2, wanted: 3 }, 'This row has 2 fields, the header has 3.'],
    [
      'case_count',
      { found: 2, wanted: 3 },
      'The zip has 2 cases for this subtask, but the form says 3.',
    ],
    ['of_tomorrow', undefined, 'As the API says.'],
  ])('of %s is the reader’s, or else the API’s', (code, params, expected) => {
    expect(text(code, params)).toEqual(expected)
  })

  it('stands at the dotted path of its field', () => {
    const fields = resultOf(useRefusedFields)
    const field = { path: ['testCase', 0, 'caseCount'], code: 'required', message: '' }
    expect(fields(refusal('bad_body', [field]))).toEqual({
      'testCase.0.caseCount': 'Value is required',
    })
    expect(fields(refusal('bad_body'))).toEqual({})
    expect(fields(new Error('a fault of the app'))).toEqual({})
  })
})

describe('a form', () => {
  it('says of each field by the contract what is wrong, and of an empty number that it is missing', () => {
    const validate = resultOf(() => useSchemaValidation(newToken, (values: object) => values))
    expect(validate({ name: 'x', scopes: ['read'], days: 1 })).toEqual({})
    expect(validate({ name: '', scopes: ['read'], days: 367 })).toEqual({
      name: 'Value is required',
      days: 'The value must be between 1 and 366',
    })
    const number = resultOf(() =>
      useSchemaValidation(z.object({ days: z.int() }), (values: object) => values),
    )
    expect(number({ days: Number.NaN })).toEqual({ days: 'Value is required' })
  })

  it('of a new password checks both fields, whatever else is wrong', () => {
    const validate = resultOf(() =>
      useNewPasswordValidation(resetBody, ({ newPassword }) => ({ token: 't', newPassword })),
    )
    const good = 'a much better one'
    expect(validate({ newPassword: good, repeat: good })).toEqual({})
    expect(validate({ newPassword: good, repeat: `${good} ` })).toEqual({
      repeat: 'Password does not match.',
    })
    expect(Object.keys(validate({ newPassword: 'short', repeat: 'other' }))).toEqual([
      'newPassword',
      'repeat',
    ])
  })
})

describe('the field of a time', () => {
  const field = (value: string, error?: string) =>
    textOf(render(<TimeField label="Due" value={value} onChange={() => {}} error={error} />))

  it('names the zone in which its time is meant', () => {
    const at = parseTime('2026-07-01 10:00')
    expect(field('2026-07-01 10:00')).toBe(`Due (${zoneName(at)})`)
  })

  it('says how a time is written only where one is typed, and else what is wrong with it', () => {
    expect(field('tomorrow', 'Value is not valid')).toContain('Write the time as YYYY-MM-DD HH:mm')
    expect(field('2026-07-01 10:00', 'Too early')).toContain('Too early')
    expect(field('', 'Value is required')).toContain('Value is required')
    expect(field('tomorrow')).not.toContain('Write the time')
  })
})
