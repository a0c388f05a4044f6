/** Objects in bodies and answers whose keys are names that people have typed. */
import * as z from 'zod'
// As `z.core.util` these would bring the texts of all languages into the bundle.
import { $ZodAsyncError, util } from 'zod/v4/core'

/**
 * An object with usernames as keys, read as a `Map`: a plain object cannot hold the key `__proto__`, and has `constructor` from the
 * start. Code that sends one makes it with `Object.fromEntries`.
 */
export function mapByName<Value extends z.ZodType>(value: Value) {
  const record = z.record(z.string(), value)
  const read: typeof record._zod.parse = (payload, ctx) => {
    const given: unknown = payload.value
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      payload.issues.push({ code: 'invalid_type', expected: 'record', input: given, inst: record })
      return payload
    }
    const found = new Map<string, unknown>()
    for (const [name, each] of Object.entries(given)) {
      const result = value._zod.run({ value: each, issues: [] }, ctx)
      if (result instanceof Promise) throw new $ZodAsyncError()
      payload.issues.push(...util.prefixIssues(name, result.issues))
      found.set(name, result.value)
    }
    return Object.assign(payload, { value: found })
  }
  // Zod's own parser drops `__proto__`.
  Object.assign(record._zod, { parse: read, run: read })
  return record as unknown as z.ZodType<
    ReadonlyMap<string, z.output<Value>>,
    Readonly<Record<string, z.input<Value>>>
  >
}
