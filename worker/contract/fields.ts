/** Schemas of single fields, and the errors of refused fields. */
import * as z from 'zod'
// As `z.core.util` these would bring the texts of all languages into the bundle.
import { $ZodAsyncError, util } from 'zod/v4/core'
import type { FieldError } from '#contract/errors'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { hiddenCharacter, shownCharacter } from '#contract/names'
import { roleCode } from '#contract/roles'

/** Messages by field-error code. The error's params replace blanks like `{max}`. */
export const FIELD_MESSAGES = {
  required: 'Value is required',
  between: 'The value must be between {min} and {max}',
  email: 'Value is not a valid email address',
  max_length: 'The maximum length allowed is {max}',
  min_length: 'This field should be at least {min} characters long',
  same_as: 'The value must be equal to the {other} value',
  min_value: 'The minimum value allowed is {min}',
  max_value: 'The maximum value allowed is {max}',
  integer: 'Value is not an integer',
  number: 'Value is not a number',
  character: 'The character {character} is not allowed',
  reserved: 'This name is reserved',
  invalid: 'Value is not valid',
  sample_unsaid: 'Send true if students may see these cases, else false',
} as const

export type FieldMessageCode = keyof typeof FIELD_MESSAGES

/** Text that is not blank: white space alone counts as empty. */
export function requiredText(maxLength: number) {
  return z
    .string()
    .refine((text) => text.trim() !== '', { params: { code: 'required' } })
    .max(maxLength)
}

/** A name that people see: it has no hidden character. */
export function visibleName(maxLength: number) {
  return requiredText(maxLength).superRefine((name, context) => {
    // The length check refuses a name that is too long.
    const hidden = name.length > maxLength ? undefined : hiddenCharacter(name)
    if (hidden === undefined) return
    const params = { code: 'character', character: shownCharacter(hidden) }
    context.addIssue({ code: 'custom', params })
  })
}

/** Marks the errors of decimal fields: for a text in a field of whole numbers, zod also says that it expects a `number`. */
const NOT_DECIMAL = 'not a decimal number'

/** A number with or without decimals. */
export const decimal = z.number({ error: NOT_DECIMAL })

/** A whole number within bounds, both included. */
export function intBetween(min: number, max: number) {
  return z
    .int()
    .refine((value) => value >= min && value <= max, { params: { code: 'between', min, max } })
    .meta({ minimum: min, maximum: max })
}

/**
 * A list in a body, of `least` to `most` items. Parsing stops at the number of faults that a refusal names: finding
 * a fault takes forty times as long as reading a good item.
 * @param isGood a quick check; an item that passes it skips the schema
 */
export function listOf<Item extends z.ZodType>(
  item: Item,
  most: number,
  least = 0,
  isGood?: (value: unknown) => boolean,
) {
  const list = z.array(item).min(least).max(most)
  // Zod's own parse cannot be called from here: at its first call it replaces this property.
  list._zod.parse = (payload, ctx) => {
    const given: unknown = payload.value
    if (!Array.isArray(given)) {
      payload.issues.push({ code: 'invalid_type', expected: 'array', input: given, inst: list })
      return payload
    }
    // Zod checks the length next, and refuses a list that is too long.
    if (given.length > most) return payload
    const items: unknown[] = (payload.value = [])
    for (const [index, value] of given.entries()) {
      if (isGood?.(value)) {
        items.push(value)
        continue
      }
      const result = item._zod.run({ value, issues: [] }, ctx)
      if (result instanceof Promise) throw new $ZodAsyncError()
      items.push(result.value)
      if (result.issues.length === 0) continue
      payload.issues.push(...util.prefixIssues(index, result.issues))
      if (payload.issues.length >= COUNT_LIMITS.fieldErrors) break
    }
    return payload
  }
  return list
}

/** Problem id: an integer from 1. */
export const problemId = z.int().min(1)

/** A problem id in a path or a query, where everything is text. */
export const problemIdText = z.coerce.number<string>().pipe(problemId)

/** 24 lowercase hex digits, ordered by time of creation: announcements, homeworks, submissions, judgements. */
export const hexId = z.string().regex(/^[0-9a-f]{24}$/)

/** The parameters of a path with one id. */
export const idInPath = z.object({ id: hexId })

/** Seconds since 1970-01-01T00:00:00Z. */
export const epochSeconds = z.int().min(0).max(8_640_000_000_000)

const USERNAME = /^[A-Za-z0-9_-]+$/

/** 1–16 letters, digits, `_` or `-`. */
export const username = requiredText(TEXT_LIMITS.username).regex(USERNAME)

function isUsername(name: unknown): boolean {
  return typeof name === 'string' && name.length <= TEXT_LIMITS.username && USERNAME.test(name)
}

/** A list of usernames; it is fast, because class lists have thousands. */
export function listOfUsernames(most: number, least = 0) {
  return listOf(username, most, least, isUsername)
}

/** An e-mail address, lower-cased. */
export const email = z.string().trim().toLowerCase().max(TEXT_LIMITS.email).pipe(z.email())

/** A new password: not blank, within the limits of length. Any characters may be in it. */
export const newPassword = requiredText(TEXT_LIMITS.passwordMax).min(TEXT_LIMITS.passwordMin)

const COURSE_NAME = /^[\p{L}\p{M}\p{N}._-]+(?: +[\p{L}\p{M}\p{N}._-]+)*$/u

/** Refuses a course name with its first character that is not allowed. */
function checkCourseName(name: string, context: z.RefinementCtx): void {
  const hidden = name.length > TEXT_LIMITS.courseName ? undefined : hiddenCharacter(name)
  if (COURSE_NAME.test(name) && hidden === undefined) return
  const refused = hidden ?? /[^\p{L}\p{M}\p{N}._ -]/u.exec(name)?.[0]
  const params =
    refused === undefined
      ? { code: 'invalid' }
      : { code: 'character', character: shownCharacter(refused) }
  context.addIssue({ code: 'custom', params })
}

/** A course name: letters of any script, digits, `.`, `_`, `-`, and spaces between them. */
export const courseName = requiredText(TEXT_LIMITS.courseName)
  .superRefine(checkCourseName)
  .meta({ pattern: COURSE_NAME.source })

/** The course whose announcements are the system announcements. */
export const PUBLIC_COURSE = 'Public'

/** What other people see of a person. */
export const userInfo = z.object({
  username: z.string(),
  displayedName: z.string(),
  role: roleCode,
})
export type UserInfo = z.infer<typeof userInfo>

/** Fills the blanks of a field message. */
export function fieldMessage(
  code: FieldMessageCode,
  params: Record<string, string | number> = {},
): string {
  return FIELD_MESSAGES[code].replace(/\{(\w+)\}/g, (blank, name: string) =>
    String(params[name] ?? blank),
  )
}

/** The value at a path in parsed JSON; undefined where there is none. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined,
    input,
  )
}

/** The field message for a zod issue, with its params. */
function classify(
  issue: z.core.$ZodIssue,
  value: unknown,
): [FieldMessageCode, Record<string, string | number>?] {
  if (issue.code === 'custom') {
    const { code, ...params } = issue.params ?? {}
    if (Object.hasOwn(FIELD_MESSAGES, code)) return [code, params]
  }
  if (value === undefined || value === null) return ['required']
  switch (issue.code) {
    case 'too_small':
      if (issue.origin !== 'string') return ['min_value', { min: Number(issue.minimum) }]
      return value === '' ? ['required'] : ['min_length', { min: Number(issue.minimum) }]
    case 'too_big':
      return [
        issue.origin === 'string' || issue.origin === 'array' ? 'max_length' : 'max_value',
        { max: Number(issue.maximum) },
      ]
    case 'invalid_type':
      if (issue.message === NOT_DECIMAL) return ['number']
      return [issue.expected === 'int' || issue.expected === 'number' ? 'integer' : 'invalid']
    case 'invalid_format':
      if (typeof value === 'string' && value.trim() === '') return ['required']
      return [issue.format === 'email' ? 'email' : 'invalid']
    default:
      return ['invalid']
  }
}

/**
 * A zod error as the list of refused fields, at most `COUNT_LIMITS.fieldErrors`.
 * @param error the error of `safeParse`
 * @param input the value that was parsed; it shows whether a refused field is missing or wrong
 */
export function toFieldErrors(error: { issues: z.core.$ZodIssue[] }, input: unknown): FieldError[] {
  const seen = new Set<string>()
  return error.issues.slice(0, COUNT_LIMITS.fieldErrors).flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)))
    const key = JSON.stringify(path)
    if (seen.has(key)) return []
    seen.add(key)
    const [code, params] = classify(issue, valueAt(input, issue.path))
    return [{ path, code, message: fieldMessage(code, params), ...(params && { params }) }]
  })
}
