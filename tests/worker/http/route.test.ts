/** Handlers must fit the table of calls: by their types, and at the Worker's start. */
import { expect, test } from 'vitest'
import { hexId, problemIdText } from '#contract/fields'
import { courseInBody, courseInPath } from '../../../worker/http/course-guard.ts'
import { guard, guardInPath } from '../../../worker/http/guard.ts'
import { mount, route } from '../../../worker/http/route.ts'

const homework = guardInPath('homework', 'homework_not_found', hexId, async () => ({
  standing: 'student' as const,
}))
const collector = guard('metrics', async () => {})
const problem = guardInPath('problem', 'problem_not_found', problemIdText, async () => ({}))

test('the compiler refuses what does not fit a row: route, guard, body, parameter, answer', () => {
  const made = [
    // @ts-expect-error the table has no such call
    () => route('GET /nothing', () => null),
    // @ts-expect-error its row is about a homework, so the guard is missing
    () => route('PUT /homework/:id', () => null),
    // @ts-expect-error the guard looks up something else
    () => route('PUT /homework/:id', courseInPath, () => null),
    // @ts-expect-error its row asks for a right, so the guard must find the caller's standing
    () => route('GET /problem/:id', problem, () => new Response()),
    // @ts-expect-error its row is open to everybody, so there must be no guard
    () => route('GET /ann', courseInPath, () => []),
    () =>
      route('POST /homework', courseInBody('courseName'), (_, { body }) => {
        // @ts-expect-error a homework's form has no such field
        return { id: body.title }
      }),
    // @ts-expect-error its path has no such parameter
    () => route('PUT /homework/:id', homework, (_, { params }) => void params.name),
    // @ts-expect-error its row says that the answer is a list
    () => route('GET /homework', () => ({ items: [] })),
    () =>
      route('GET /metrics', collector, (c) => {
        // @ts-expect-error a metrics collector is no person
        return c.body(c.var.user.email)
      }),
    // @ts-expect-error one call of the table has no handler
    () => mount([route('GET /docs', () => new Response())]),
  ]
  expect(made).toHaveLength(10)
})

test('the Worker does not start while a call is served twice or not at all', () => {
  const docs = route('GET /docs', () => new Response())
  const [some, all] = [mount as (routes: unknown[]) => unknown, 'GET /openapi.json']
  expect(() => some([docs, docs])).toThrow('GET /docs is served twice, or has no row')
  expect(() => some([docs])).toThrow(all)
  expect(() => some([{ ...docs, route: 'GET /nothing' }])).toThrow('GET /nothing is served twice')
})
