/** For any JSON body the answer is a refusal that names the field, and nothing is stored, unless the body is valid. */
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { CALLS, type Route } from '#contract/calls'
import { errorEnvelope, fieldError } from '#contract/errors'
import { hostileBodies, SENTINEL } from '../support/properties-bodies.ts'
import { makeCall, signatureOf } from '../support/roles-routes-calls.ts'
import { createFixture, type Fixture } from '../support/roles-routes-fixture.ts'
import { ROLES, ROLES_ROUTES, type Role } from '../support/roles-routes.ts'
import type { Trip } from '../../../scripts/bench/worker/recording-d1.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { allRows } from '../support/sql.ts'
import { refreshEverywhere } from '../support/stored-marks.ts'
import { REGISTRATION_TOKEN, type CallOptions } from '../support/world.ts'

/** `npm run test:full` runs in this mode: 200 cases a route and a random seed; other runs have a fixed seed. */
// The type of `import.meta` in a Worker lacks vite's addition.
const isFull = Reflect.get(import.meta, 'env').MODE === 'full'
const RUNS = isFull ? { numRuns: 200 } : { numRuns: 12, seed: 20_261_120 }

/** Sign-in, checks and recovery count calls, and refusals are audited; neither is the purpose of a call. */
const BOOKKEEPING = new Set(['rate_limits', 'login_records', 'audit_entries'])

/** The contents of all tables except the bookkeeping, as one text. */
async function fingerprint(): Promise<string> {
  const tables = await allRows<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\'`
  const kept = tables.filter(({ name }) => !BOOKKEEPING.has(name))
  const found = await env.DB.batch(
    kept.map(({ name }) => env.DB.prepare(`select * from "${name}"`)),
  )
  return JSON.stringify(found.map(({ results }) => results))
}

/** Fields that may contain NUL. */
const BINARY_FIELDS = new Set(['code', 'compileMessage', 'reason'])

/** Statements that write anything except the bookkeeping. */
function writesOf(trips: Trip[]): string[] {
  return trips
    .flatMap(({ statements }) => statements.map(({ sql }) => sql))
    .filter((sql) => {
      const table = /\b(?:insert into|update|delete from) "?(\w+)/i.exec(sql)?.[1]
      return table !== undefined && !BOOKKEEPING.has(table)
    })
}

/** A role that may make the call: the first with a 2xx in its row. */
function callerOf(route: Route, fixture: Fixture): Pick<CallOptions, 'as' | 'token'> {
  if (route === 'POST /runner/register') return { token: REGISTRATION_TOKEN }
  const order: Role[] = ['guest', 'teacher', 'admin', 'student', 'runner']
  const role = order.find((name) => (ROLES_ROUTES[route][ROLES.indexOf(name)] ?? 500) < 300)
  if (!role) throw new Error(`nobody may ${route}`)
  return signatureOf(fixture, role)
}

/** The expected refusals of a text: the paths of the refused fields; none for a valid text. */
function faultsOf(schema: z.ZodType, text: string): string[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return ['']
  }
  const { error, data } = schema.safeParse(body)
  if (error) return error.issues.map(({ path }) => path.map(String).join('.'))
  // Half a surrogate pair is refused anywhere, and NUL outside `BINARY_FIELDS`.
  const stored = JSON.stringify(data, (key, value: unknown) =>
    BINARY_FIELDS.has(key) && typeof value === 'string' ? value.replaceAll('\0', '') : value,
  )
  return /\\u(d[89a-f]|0000)/.test(stored ?? '') ? ['*'] : []
}

interface Subject {
  route: string
  schema: z.ZodType
  path: string
  caller: Pick<CallOptions, 'as' | 'token'>
}

/** Tries one case. Answers whether the call was accepted, and so has changed the fixture. */
async function check({ route, schema, path, caller }: Subject, text: string): Promise<boolean> {
  const [method = ''] = route.split(' ')
  const headers = { 'Content-Type': 'application/json' }
  const answer = await recordCall(method, path, { ...caller, body: text, headers })
  expect(answer.status, answer.text).toBeLessThan(500)
  if (answer.status >= 300) errorEnvelope.parse(JSON.parse(answer.text))
  const faults = faultsOf(schema, text)
  if (faults.length === 0) return answer.status < 300
  expect([400, 403, 404, 413], answer.text).toContain(answer.status)
  const error = errorEnvelope.parse(JSON.parse(answer.text))
  if (error.code === 'bad_body') {
    const named = fieldError.array().min(1).parse(error.data)
    const paths = named.map((field) => field.path.map(String).join('.'))
    if (!faults.includes('') && !faults.includes('*'))
      for (const field of paths) expect(faults).toContain(field)
  }
  expect(writesOf(answer.trips)).toEqual([])
  return false
}

/** The call with a fresh fixture. */
async function subjectOf(route: Route, schema: z.ZodType) {
  const fixture = await createFixture()
  const caller = callerOf(route, fixture)
  const { path, json } = await makeCall(route, fixture, caller.as ?? null)
  return { subject: { route, schema, path, caller }, json }
}

const jsonRoutes = CALLS.flatMap(({ route, body: schema }) => (schema ? [{ route, schema }] : []))

describe('hostile JSON bodies', () => {
  test('every route that takes JSON is tried [IV1]', () => {
    expect(jsonRoutes.length).toBeGreaterThan(35)
  })

  test.each(jsonRoutes)(
    '$route refuses them field by field and stores nothing [IV1]',
    async ({ route, schema }) => {
      let { subject, json } = await subjectOf(route, schema)
      const bodies = hostileBodies(schema, json)
      await fc.assert(
        fc.asyncProperty(bodies, async (text) => {
          if (await check(subject, text)) ({ subject } = await subjectOf(route, schema))
        }),
        RUNS,
      )
      // Marks of earlier changes are computed after their answers.
      await refreshEverywhere()
      const before = await fingerprint()
      for (const text of fc.sample(bodies, { ...RUNS, numRuns: 5 }))
        if (faultsOf(schema, text).length > 0) await check(subject, text)
      expect(await fingerprint()).toBe(before)
      expect(before).not.toContain(SENTINEL)
    },
    isFull ? 120_000 : 20_000,
  )
})
