/** Hostile JSON bodies, made from a valid body and its schema. */
import * as fc from 'fast-check'
import * as z from 'zod'

/** The position of a change: property names, and 0 for the first element of an array. */
type Path = readonly (string | number)[]

/** Values as JSON text, because `JSON.stringify` cannot write some of them: 1e309, lone surrogates, `__proto__`. */
const HOSTILE_TEXTS = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e21',
  '9007199254740993',
  '1e309',
  '-1e309',
  'NaN',
  'undefined',
  '""',
  '" \\u00a0 "',
  '"\\ud800"',
  '"a\\u0000b"',
  '"\\u202e\\ufeff"',
  '"1e309"',
  '"NaN"',
  '"\' or 1=1 --"',
  '[]',
  '["x"]',
  '[[]]',
  '[null]',
  '{}',
  '{"__proto__":{"role":0,"isAdmin":true}}',
  '{"constructor":{"prototype":{"role":0}}}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
] as const

/** Whole bodies that are not objects, or not JSON. */
const HOSTILE_BODIES = [
  '',
  '{',
  'NaN',
  'null',
  '[]',
  '"x"',
  '0',
  'true',
  '{"__proto__":null}',
] as const

/** A field that no schema knows; its value must not reach the database. */
export const SENTINEL = 'sentinel-that-nobody-stores'

const MEGABYTE = 1_000_000
/** Marks the position of raw text in a body. */
const PLACEHOLDER = '@@hostile@@'

/** The parts of a JSON Schema that these functions read. */
interface Shape {
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  allOf?: Shape[]
}

/** Every path in a body of this shape. */
function pathsOf(shape: Shape, path: Path = []): Path[] {
  const inside = [...(shape.anyOf ?? []), ...(shape.allOf ?? [])].flatMap((part) =>
    pathsOf(part, path).slice(1),
  )
  const fields = Object.entries(shape.properties ?? {}).flatMap(([name, part]) =>
    pathsOf(part, [...path, name]),
  )
  const elements =
    typeof shape.items === 'object' && !Array.isArray(shape.items)
      ? pathsOf(shape.items, [...path, 0])
      : []
  return [path, ...inside, ...fields, ...elements]
}

/** The body with another value at a path; `undefined` removes the field. Missing objects on the way are added. */
function changed(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  if (typeof key === 'number') {
    const list: unknown[] = Array.isArray(body) ? body : []
    return [changed(list[0], rest, value), ...list.slice(1)]
  }
  const fields: object = typeof body === 'object' && body !== null ? body : {}
  return { ...fields, [key]: changed(Reflect.get(fields, key), rest, value) }
}

/** Any JSON text: hostile ones from the list, long strings, and random ones by fast-check. */
const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.constant(JSON.stringify('x'.repeat(MEGABYTE))) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: 'binary', maxLength: 200 }).map((text) => JSON.stringify(text)),
  },
  { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
)

/**
 * Bodies as text.
 * @param valid a body that is accepted
 */
export function hostileBodies(schema: z.ZodType, valid: unknown): fc.Arbitrary<string> {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const paths = fc.constantFrom(...pathsOf(shape as Shape).slice(1))
  const replaced = fc
    .tuple(paths, hostileText)
    .map(([path, text]) =>
      JSON.stringify(changed(valid, path, PLACEHOLDER)).replace(`"${PLACEHOLDER}"`, () => text),
    )
  const missing = paths.map((path) => JSON.stringify(changed(valid, path, undefined)))
  const extra = fc
    .constantFrom('role', 'status', 'score', 'userId', 'courseId', 'id', '__proto__', 'zzz')
    .map((name) =>
      JSON.stringify({ [PLACEHOLDER]: SENTINEL, ...Object(valid) }).replace(PLACEHOLDER, name),
    )
  return fc.oneof(
    { weight: 6, arbitrary: replaced },
    { weight: 2, arbitrary: missing },
    { weight: 1, arbitrary: extra },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
  )
}
