import { describe, expect, test } from 'vitest'
import { CALLS } from '#contract/calls'
import { errorEnvelope } from '#contract/errors'
import { COUNT_LIMITS, QUOTA_MAX } from '#contract/limits'
import { app } from '../../../worker/app.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { createPerson, createProblem, fetchApi, registerRunner, submit } from '../support/world.ts'

/** The routes of the router as `METHOD /path`. */
function routes(): string[] {
  const all = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/^\/api/, '')}`)
  return [...new Set(all)]
}

describe('the table of calls', () => {
  test('has every route of the router and no other, each once', () => {
    expect(CALLS.map(({ route }) => route).toSorted()).toEqual(routes().toSorted())
  })

  test('says which GETs change something', () => {
    const changing = CALLS.filter(({ changes }) => changes).map(({ route }) => route)
    expect(changing).toEqual(['GET /auth/session', 'GET /submission/:id/rejudge'])
  })

  test('says how large a body each call takes', async () => {
    const { paths } = JSON.parse(await (await fetchApi('GET', '/openapi.json')).text())
    expect(paths['/auth/session'].post.requestBody.description).toBe('JSON of at most 4 KiB')
    expect(paths['/problem/manage/{id}'].put.requestBody.description).toBe(
      'JSON of at most 4096 KiB, or a form of at most 16448 KiB',
    )
    expect(await (await fetchApi('GET', '/docs')).text()).toContain('Takes JSON of at most 4 KiB.')
  })

  test('says within which bounds a number is, in a query and in a body', async () => {
    const { paths } = JSON.parse(await (await fetchApi('GET', '/openapi.json')).text())
    const parameters: { name: string; schema: unknown }[] = paths['/submission'].get.parameters
    const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema
    const [minimum, maximum] = [0, COUNT_LIMITS.listOffset]
    expect(schemaOf('offset')).toEqual({ type: 'integer', minimum, maximum })
    expect(schemaOf('problemId')).toMatchObject({ type: 'integer', minimum: 1 })
    const form = paths['/problem/manage'].post.requestBody.content['application/json'].schema
    expect(JSON.stringify(form)).toContain(`"maximum":${QUOTA_MAX}`)
  })

  test('describes what the calls answer', async () => {
    const { student, teacher, course, problemId } = await createProblem()
    const admin = await createPerson(0)
    await emptyQueue()
    const id = await submit(student, problemId)
    await judgeAll(await registerRunner())
    const reads = {
      'GET /health': '/health',
      'GET /auth/me': '/auth/me',
      'GET /auth/sessions': '/auth/sessions',
      'GET /user': '/user',
      'GET /user/summary': '/user/summary',
      'GET /profile/:username': `/profile/${student.username}`,
      'GET /course': '/course',
      'GET /course/summary': '/course/summary',
      'GET /course/:name': `/course/${course}`,
      'GET /course/:name/scoreboard': `/course/${course}/scoreboard`,
      'GET /course/:name/ann': `/course/${course}/ann`,
      'GET /course/:name/homework': `/course/${course}/homework`,
      'GET /problem': `/problem?course=${course}`,
      'GET /problem/:id': `/problem/${problemId}`,
      'GET /problem/:id/stats': `/problem/${problemId}/stats`,
      'GET /problem/manage/:id': `/problem/manage/${problemId}`,
      'GET /submission': '/submission',
      'GET /submission/:id': `/submission/${id}`,
      'GET /runners': '/runners',
      'GET /runners/queue': '/runners/queue',
      'GET /audit': '/audit',
    }
    for (const [route, path] of Object.entries(reads)) {
      const answer = await admin.get(path)
      expect(answer.status, route).toBe(200)
      const schema = CALLS.find((entry) => entry.route === route)?.data
      expect(schema?.safeParse(answer.data).error?.issues, route).toBeUndefined()
    }
    const refused = await fetchApi('GET', '/audit', { as: teacher })
    expect(errorEnvelope.safeParse(await refused.json()).success).toBe(true)
  })
})

describe('GET /openapi.json', () => {
  test('is an OpenAPI 3.1 document that holds together', async () => {
    const response = await fetchApi('GET', '/openapi.json')
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    const text = await response.text()
    const document = JSON.parse(text)
    expect(document.openapi).toBe('3.1.0')
    const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(
      ([path, methods]) => Object.values(methods).map((operation) => ({ path, ...operation })),
    )
    expect(operations).toHaveLength(CALLS.length)
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(CALLS.length)
    for (const { path, parameters, responses } of operations) {
      const named = parameters.filter((parameter) => parameter.in === 'path')
      expect(named.map((parameter) => `{${parameter.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(Object.keys(responses).some((status) => /^(2|101)/.test(status))).toBe(true)
      expect(responses).toHaveProperty('500')
    }
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas).toHaveProperty(name ?? '')
    for (const [reference] of text.matchAll(/"\$ref":"[^"]*"/g))
      expect(reference).toMatch(/#\/components\/schemas\//)
  })
})

interface Operation {
  operationId: string
  parameters: { name: string; in: string }[]
  responses: Record<string, unknown>
}

describe('GET /docs', () => {
  test('names every call, without script, style or anything from elsewhere', async () => {
    const response = await fetchApi('GET', '/docs')
    expect(response.headers.get('Content-Type')).toMatch(/^text\/html/)
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    const text = await response.text()
    for (const { route } of CALLS) {
      const [method = '', path = ''] = route.split(' ')
      expect(text).toContain(`${method} /api${path.replace(/:(\w+)/g, '{$1}')}<`)
    }
    expect(text).not.toMatch(/<script|<style|style=|https?:\/\//)
  })
})
