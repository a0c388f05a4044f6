import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { newCourse, peopleParams } from '#contract/courses'
import {
  courseName,
  decimal,
  email,
  intBetween,
  listOf,
  listOfUsernames,
  newPassword,
  requiredText,
  toFieldErrors,
  username,
} from '#contract/fields'
import { homeworkStatusAt } from '#contract/homeworks'
import { can } from '#contract/roles'

/** The product's message for a value, or null if the value is valid. */
function messageFor(schema: z.ZodType, value: unknown): string | null {
  const parsed = schema.safeParse(value)
  return parsed.success ? null : (toFieldErrors(parsed.error, value)[0]?.message ?? '')
}

describe('field messages are the product’s', () => {
  test.each([
    [requiredText(5), '', 'Value is required'],
    [requiredText(5), ' \t', 'Value is required'],
    [requiredText(5), undefined, 'Value is required'],
    [requiredText(5), null, 'Value is required'],
    [requiredText(5), '123456', 'The maximum length allowed is 5'],
    [requiredText(5), 5, 'Value is not valid'],
    [newPassword, '1234567', 'This field should be at least 8 characters long'],
    [newPassword, '12345678', null],
    [email, ' ', 'Value is required'],
    [email, 'nobody', 'Value is not a valid email address'],
    [email, ' Some@Example.TEST ', null],
    [intBetween(1, 9), 10, 'The value must be between 1 and 9'],
    [intBetween(1, 9), 1.5, 'Value is not an integer'],
    [intBetween(1, 9), '5', 'Value is not an integer'],
    [decimal, '0.5', 'Value is not a number'],
    [decimal.min(0), -1, 'The minimum value allowed is 0'],
    [decimal, 0.5, null],
    [z.int().min(3), 2, 'The minimum value allowed is 3'],
    [username, 'a b', 'Value is not valid'],
    [username, 'A_b-9', null],
    [username, 'sixteen_letters-', null],
    [username, 'seventeen_letters', 'The maximum length allowed is 16'],
    [username, 'sixteen letters!', 'Value is not valid'],
    [username, 'far too long, and bad', 'The maximum length allowed is 16'],
    [username, '', 'Value is required'],
    [username, ' '.repeat(17), 'Value is required'],
    [listOfUsernames(3), ['fine', 'a b'], 'Value is not valid'],
    [listOfUsernames(3), ['fine', 7], 'Value is not valid'],
    [listOfUsernames(3), ['fine', ['fine']], 'Value is not valid'],
    [listOfUsernames(3), ['fine', null], 'Value is required'],
    [listOfUsernames(3), ['fine', 'seventeen_letters'], 'The maximum length allowed is 16'],
    [listOfUsernames(3), ['a', 'b', 'c'], null],
    [listOfUsernames(3, 1), [], 'The minimum value allowed is 1'],
    [courseName, 'Größe 1.0', null],
    [courseName, '程式設計', null],
    [courseName, 'C++ / C#', 'The character + is not allowed'],
    [courseName, 'a\u00a0b', 'The character U+00A0 is not allowed'],
    [newCourse.shape.course, 'Summary', 'This name is reserved'],
    [newCourse.shape.timeZone, 'Asia/Nowhere', 'Value is not valid'],
    [courseName, ' padded', 'Value is not valid'],
    [peopleParams.shape.search, '', 'Value is required'],
    [peopleParams.shape.search, 'a', 'This field should be at least 2 characters long'],
    [z.int().max(3), 4, 'The maximum value allowed is 3'],
    [listOf(z.string(), 1), ['a', 'b'], 'The maximum length allowed is 1'],
    [z.coerce.string().regex(/^a/), 5, 'Value is not valid'],
  ])('%#', (schema, value, message) => {
    expect(messageFor(schema, value)).toBe(message)
  })

  test('each field is named once, by its path', () => {
    const schema = z.object({ list: z.array(z.object({ name: requiredText(2) })) })
    const input = { list: [{ name: 'ok' }, { name: '    ' }, { name: 'abc' }] }
    const parsed = schema.safeParse(input)
    expect(toFieldErrors(parsed.error ?? { issues: [] }, input)).toEqual([
      { path: ['list', 1, 'name'], code: 'required', message: 'Value is required', params: {} },
      {
        path: ['list', 2, 'name'],
        code: 'max_length',
        message: 'The maximum length allowed is 2',
        params: { max: 2 },
      },
    ])
  })

  test.each(['text', null])('a fault of a part of %j says that the part is missing', (input) => {
    const schema = z.unknown().refine(() => false, { path: ['part'] })
    const errors = toFieldErrors(schema.safeParse(input).error ?? { issues: [] }, input)
    expect(errors).toMatchObject([{ path: ['part'], code: 'required' }])
  })

  test('a course name with a space at an end is refused as such', () => {
    expect(courseName.safeParse(' padded').error?.issues).toMatchObject([
      { params: { code: 'invalid' } },
    ])
  })
})

describe('a list', () => {
  test('that is none is refused as by zod', () => {
    const refused = listOf(z.string(), 3).safeParse(5).error?.issues
    expect(refused).toEqual(z.array(z.string()).safeParse(5).error?.issues)
  })

  test('has no items that have to be awaited', async () => {
    const item = z.string().refine(async () => true)
    await expect(listOf(item, 3).parseAsync(['a'])).rejects.toThrow(z.core.$ZodAsyncError)
  })
})

describe('a homework', () => {
  test.each([
    [9, 'not-started'],
    [10, 'running'],
    [20, 'running'],
    [21, 'over'],
  ])('from 10 to 20 is at %i %s', (now, status) => {
    expect(homeworkStatusAt({ opens: 10, closes: 20 }, now)).toBe(status)
  })
})

describe('capabilities', () => {
  test('are refused to whoever is not listed', () => {
    expect(can('student', 'submission.create')).toBe(true)
    expect(can('student', 'problem.write')).toBe(false)
    expect(can('ta', 'members.manage')).toBe(false)
    expect(can('outsider', 'course.read')).toBe(false)
    expect(can('guest', 'course.read')).toBe(false)
    expect(can('admin', 'course.manage')).toBe(true)
  })
})
