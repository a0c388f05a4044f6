import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { CALLS } from '#contract/calls'
import { courseMembers } from '#contract/courses'
import { toFieldErrors } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'

/** The parts of a JSON Schema that these tests read. */
interface Shape {
  type?: string
  properties?: Record<string, Shape>
  additionalProperties?: unknown
  propertyNames?: { enum?: string[] }
  items?: Shape
  maxItems?: number
  anyOf?: Shape[]
}

/** A body of this shape with as many faults as possible: full lists, and every field of the wrong type. */
function faultiest({ type, properties, items, maxItems = 0, anyOf }: Shape): unknown {
  if (anyOf) return anyOf.map(faultiest).find((value) => typeof value === 'object')
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, shape]) => [name, faultiest(shape)]),
    )
  if (items) return Array.from({ length: maxItems }, () => faultiest(items))
  return type === 'string' ? '' : [[]]
}

/** The lists and maps of a shape that do not say how long they may be. */
function unlimited(shape: Shape, path: string): string[] {
  const { type, properties = {}, additionalProperties, items, maxItems, anyOf = [] } = shape
  const isMap = typeof additionalProperties === 'object' && !shape.propertyNames?.enum
  const isUnlimited = (type === 'array' && maxItems === undefined) || isMap
  return [
    ...(isUnlimited ? [path] : []),
    ...Object.entries(properties).flatMap(([name, part]) => unlimited(part, `${path}.${name}`)),
    ...(items ? unlimited(items, `${path}[]`) : []),
    ...anyOf.flatMap((part) => unlimited(part, path)),
  ]
}

const withBody = CALLS.flatMap(({ route, body }) =>
  body
    ? [
        {
          route,
          body,
          shape: z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Shape,
        },
      ]
    : [],
)

describe('however many things are wrong with a body', () => {
  test.each(withBody)('few faults are made of it: $route', ({ body, shape }) => {
    const { error } = body.safeParse(faultiest(shape))
    // At most three lists and the fields beside them; the last item of a list is checked as a whole.
    expect(error?.issues.length ?? 0).toBeLessThanOrEqual(4 * COUNT_LIMITS.fieldErrors)
  })

  test.each(withBody)('no list or map in it is without a limit: $route', ({ route, shape }) => {
    expect(unlimited(shape, route)).toEqual([])
  })

  test('the faults name field, index and what is allowed', () => {
    const names = Array.from(
      { length: COUNT_LIMITS.membersPerRequest },
      () => 'a-name-with-too-many-letters',
    )
    const form = { TAs: ['fine', '!'], students: names }
    const { error } = courseMembers.safeParse(form)
    const faults = toFieldErrors({ issues: error?.issues ?? [] }, form)
    expect(faults).toHaveLength(COUNT_LIMITS.fieldErrors)
    expect(faults[0]).toMatchObject({ path: ['TAs', 1], code: 'invalid' })
    expect(faults[1]).toMatchObject({
      path: ['students', 0],
      message: 'The maximum length allowed is 16',
    })
    expect(faults.at(-1)?.path).toEqual(['students', COUNT_LIMITS.fieldErrors - 2])
  })
})

test('a list is judged to its end where little is wrong', () => {
  const names = Array.from({ length: COUNT_LIMITS.membersPerRequest }, (_, index) => `n${index}`)
  expect(courseMembers.parse({ TAs: [], students: names }).students).toEqual(names)
  const { error } = courseMembers.safeParse({ TAs: [], students: [...names.slice(1), '!'] })
  expect(error?.issues.map(({ path }) => path)).toEqual([['students', names.length - 1]])
  const tooMany = courseMembers.safeParse({ TAs: [], students: [...names, '!'] })
  expect(tooMany.error?.issues).toMatchObject([{ code: 'too_big', path: ['students'] }])
})

test('what is no list, or too long a one, leaves the next body to be judged the same', () => {
  const bad = Array.from({ length: COUNT_LIMITS.membersPerRequest }, () => '!')
  for (const students of ['none', undefined, [...bad, '!'], bad]) {
    const { error } = courseMembers.safeParse({ TAs: [], students })
    expect(error?.issues.length).toBeLessThanOrEqual(COUNT_LIMITS.fieldErrors)
  }
})
