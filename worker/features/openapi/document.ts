/** The table of calls as an OpenAPI 3.1 document: every schema is the contract's own. */
import * as z from 'zod'
import type { Call } from '#contract/calls/call'
import { bodyBytesOf, CALLS, refusalsOf } from '#contract/calls'
import { errorEnvelope, ERRORS, okEnvelope } from '#contract/errors'

/** A part of the document, in the form of OpenAPI (https://spec.openapis.org/oas/v3.1.1). */
type Json = Record<string, unknown>

/** The text for each value of `Call.who`. */
export const WHO: Record<Call['who'], string> = {
  anyone: 'Anyone.',
  session: 'Whoever is signed in.',
  owner: 'Its owner; for anyone else it does not exist.',
  submitter: 'The submitter; to read, also staff of the course.',
  member: 'Members of the course, and admins.',
  staff: 'Teacher and teaching assistants of the course, and admins.',
  teacher: 'The course’s teacher, and admins.',
  anyStaff: 'Teachers and teaching assistants of any course, and admins.',
  admin: 'Admins.',
  runner: 'Judge hosts, with their own token.',
  registration: 'New judge hosts, with the registration token.',
  metrics: 'A metrics collector, with the metrics token.',
}

/** A schema as JSON Schema 2020-12, as a client sends it (`input`) or receives it (`output`). */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}

/** Adds the bounds of the parsed number to a parameter that comes as text. */
function sayBounds({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }) {
  const { def } = zodSchema._zod
  if (def.type !== 'pipe' || def.in._zod.def.type !== 'number') return
  const { $schema: _, ...read } = z.toJSONSchema(def.out)
  Object.assign(jsonSchema, read)
}

/** Parameters of the path and of the query. */
function parametersOf({ query }: Call, path: string): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  if (!query) return inPath
  const { properties = {}, required = [] } = z.toJSONSchema(query, {
    io: 'input',
    unrepresentable: 'any',
    override: sayBounds,
  })
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
  return [...inPath, ...inQuery]
}

/** The size limits of a call's body, in words. */
export function bodySizeOf(call: Call): string {
  const { json, form } = bodyBytesOf(call)
  const sizes = [
    ...(json > 0 ? [`JSON of at most ${json / 1024} KiB`] : []),
    ...(form > 0 ? [`a form of at most ${form / 1024} KiB`] : []),
  ]
  return sizes.join(', or ')
}

/** The body of a call. */
function requestBodyOf(call: Call): Json | undefined {
  const { body, form, bytes } = call
  if (bytes) return { required: true, content: { 'application/octet-stream': {} } }
  if (!body && !form) return undefined
  const properties = Object.entries(form ?? {}).map(([name, description]) => [
    name,
    { type: 'string', contentMediaType: 'application/octet-stream', description },
  ])
  return {
    required: true,
    description: bodySizeOf(call),
    content: {
      ...(body && { 'application/json': { schema: toSchema(body, 'input') } }),
      ...(form && {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: Object.fromEntries(properties),
            required: Object.keys(form),
          },
        },
      }),
    },
  }
}

/** The answers of a call: its success, and its refusals by status. */
function responsesOf(call: Call): Json {
  const { data = z.null(), file, status = 200, mayBeEmpty } = call
  const isSocket = status === 101
  const schema = toSchema(isSocket ? data : okEnvelope(data), 'output')
  const success = {
    description: isSocket ? 'A WebSocket; each message is one of these.' : 'OK',
    content: file ? { [file]: {} } : { 'application/json': { schema } },
  }
  const refusals = Map.groupBy(refusalsOf(call), (code) => ERRORS[code][0])
  const errors = [...refusals].map(([errorStatus, codes]) => [
    String(errorStatus),
    {
      description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ])
  return {
    [String(status)]: success,
    ...(mayBeEmpty && { 204: { description: 'Nothing there.' } }),
    ...Object.fromEntries(errors),
  }
}

/** Who may call, in the terms of OpenAPI. */
function securityOf(who: Call['who']): Json[] {
  if (who === 'anyone') return []
  if (who === 'metrics') return [{ metricsToken: [] }]
  if (who === 'runner' || who === 'registration') return [{ runnerToken: [] }]
  return [{ session: [] }, { apiToken: [] }]
}

/** Method and path of a call, the path as OpenAPI writes it. */
export function addressOf({ route }: Call): { method: string; path: string } {
  const [method = '', path = ''] = route.split(' ')
  return { method, path: path.replace(/:(\w+)/g, '{$1}') }
}

/** One call as an operation of OpenAPI. */
function operationOf(call: Call): Json {
  const { path } = addressOf(call)
  const requestBody = requestBodyOf(call)
  return {
    operationId: call.route.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [path.split('/')[1] ?? ''],
    summary: call.summary,
    description: WHO[call.who],
    security: securityOf(call.who),
    parameters: parametersOf(call, path),
    ...(requestBody && { requestBody }),
    responses: responsesOf(call),
  }
}

/**
 * The whole document.
 * @param version of this installation
 */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {}
  for (const call of CALLS) {
    const { method, path } = addressOf(call)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(call) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Course judge',
      version,
      description:
        'Every JSON answer is {status, message, data}; refusals carry a stable code. Times are epoch seconds, memory KB, run time ms of CPU. Changes from a browser must come from the app’s own origin. Reads answer ETag and take If-None-Match; edits take If-Match. An e-mail counts only when its owner has confirmed it or an admin has vouched for it; until then it finds nobody, and its account works in the course that made it, joins no other and becomes no staff.',
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      schemas: { Error: toSchema(errorEnvelope, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-session' },
        apiToken: { type: 'http', scheme: 'bearer', description: 'A personal API token.' },
        runnerToken: { type: 'http', scheme: 'bearer', description: 'The token of a judge host.' },
        metricsToken: { type: 'http', scheme: 'bearer', description: '`METRICS_TOKEN`.' },
      },
    },
  }
}
