/** Cloudflare's REST API: one call at a time; each refusal becomes a sentence that names what is missing. */
import * as z from 'zod'
import { messageOf, PlainError } from '../plain-error.ts'
import { openPace, type Clock } from './pace.ts'
import type { Settings } from './settings-file.ts'

const API = 'https://api.cloudflare.com/client/v4'
const CALL_MS = 60_000
/** The deadline for the content of an object, which may have hundreds of megabytes. */
const CONTENT_MS = 30 * 60_000

/** The permission that calls of a path need, as the dashboard names it. The first pattern that matches counts. */
export const PERMISSIONS: readonly [path: RegExp, permission: string][] = [
  [/\/d1\//, 'Account · D1 · Edit'],
  [/\/r2\//, 'Account · Workers R2 Storage · Edit'],
  [/\/queues/, 'Account · Queues · Edit'],
  [/\/workers\//, 'Account · Workers Scripts · Edit'],
  [/\/accounts/, 'Account · Account Settings · Read'],
]

/** A refusal of the API. */
export class ApiError extends PlainError {
  override name = 'ApiError'
  readonly status: number
  readonly codes: readonly number[]

  constructor(message: string, status: number, codes: readonly number[]) {
    super(message)
    this.status = status
    this.codes = codes
  }
}

/** The calls of the API. */
export interface Cloudflare {
  /**
   * Makes a call and returns its `result`.
   * @param path below `/client/v4`
   * @throws ApiError with a sentence for the refusal
   */
  call<Form extends z.ZodType>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    form: Form,
    body?: unknown,
  ): Promise<z.output<Form>>
}

/** The API, with calls for the content of objects. */
export interface CloudflareContent extends Cloudflare {
  /**
   * Makes a call whose answer has no envelope.
   * @throws ApiError with a sentence for the refusal
   */
  send(method: 'GET' | 'PUT', path: string, content?: Blob): Promise<Response>
}

/** Sentences for particular refusals, by Cloudflare's code. */
const MEANINGS: Record<number, string> = {
  1000: 'Cloudflare does not know the API token: make a new one and set CLOUDFLARE_API_TOKEN to it.',
  6003: 'Cloudflare does not know the API token: make a new one and set CLOUDFLARE_API_TOKEN to it.',
  9109: 'Cloudflare does not know the API token: make a new one and set CLOUDFLARE_API_TOKEN to it.',
  10_042:
    'R2 is not turned on in this account: subscribe to it (free of charge) on the dashboard’s page R2.',
  100_117:
    'DOMAIN has a DNS record of its own already: delete the record or set DOMAIN to another host name.',
  100_328:
    'The account is on the free plan of Workers, which is too small to hash a password: subscribe to Workers Paid on the dashboard’s page Workers & Pages › Plans.',
}

const selecting = z.object({ sql: z.string().regex(/^select\b/i) })

/** Whether a body only reads rows of a database. */
const isSelect = (body: unknown) => selecting.safeParse(body).success

const envelope = z.object({
  result: z.unknown(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).nullish(),
})

/** The sentence for a refusal. */
export function refusalOf(
  method: string,
  path: string,
  status: number,
  errors: readonly { code: number; message: string }[],
): string {
  const meaning = errors.map(({ code }) => MEANINGS[code]).find((text) => text !== undefined)
  if (meaning) return meaning
  if (status === 401) return MEANINGS[1000] ?? ''
  if (status === 403) {
    const permission = PERMISSIONS.find(([part]) => part.test(path))?.[1]
    return `The API token lacks the permission “${permission}”, or does not reach this account: add it at dash.cloudflare.com/profile/api-tokens (${method} ${path}).`
  }
  const reason = errors.map(({ code, message }) => `${message} [${code}]`).join('; ')
  return `Cloudflare answered ${status} to ${method} ${path}${reason && `: ${reason}`}; run the command again.`
}

/**
 * The API for a token, called no faster than Cloudflare allows.
 * @param jurisdiction of the buckets that it finds and makes; buckets of other jurisdictions are invisible to it
 */
export function openCloudflare(
  token: string,
  base: string = process.env['CLOUDFLARE_API_BASE_URL'] ?? API,
  clock?: Clock,
  jurisdiction?: string,
): CloudflareContent {
  const pace = openPace(clock)
  /** @throws ApiError for a refusal */
  async function send(
    method: string,
    path: string,
    content?: Blob,
    mostMs = CONTENT_MS,
    isRead = method === 'GET',
  ): Promise<Response> {
    const answer = await pace(
      () =>
        fetch(`${base}${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${token}`,
            'User-Agent': 'coursejudge-deploy',
            ...(jurisdiction && path.includes('/r2/') && { 'cf-r2-jurisdiction': jurisdiction }),
          },
          ...(content && { body: content }),
          signal: AbortSignal.timeout(mostMs),
        }),
      isRead,
    ).catch((error: unknown) => {
      throw new PlainError(
        `Cloudflare’s API does not answer (${method} ${path}: ${messageOf(error)}); run the command again.`,
      )
    })
    if (answer.ok) return answer
    const errors = envelope.safeParse(jsonOf(await answer.text())).data?.errors ?? []
    const codes = errors.map(({ code }) => code)
    throw new ApiError(refusalOf(method, path, answer.status, errors), answer.status, codes)
  }
  return {
    send,
    async call(method, path, form, body) {
      // A blob knows the type of its content.
      const content =
        body === undefined
          ? undefined
          : new Blob([JSON.stringify(body)], { type: 'application/json' })
      const isRead = method === 'GET' || isSelect(body)
      const text = await (await send(method, path, content, CALL_MS, isRead)).text()
      // The content of an object comes without an envelope.
      const { result } = envelope.safeParse(jsonOf(text)).data ?? { result: text }
      const parsed = form.safeParse(result)
      if (parsed.success) return parsed.data
      throw new PlainError(
        `Cloudflare’s answer to ${method} ${path} is unknown to this version: ${z.prettifyError(parsed.error).replace(/\s+/g, ' ')}`,
      )
    },
  }
}

/** The API for an installation. */
export function cloudflareOf(settings: Settings): CloudflareContent {
  const { CLOUDFLARE_API_TOKEN: token = '', JURISDICTION: jurisdiction } = settings
  return openCloudflare(token, undefined, undefined, jurisdiction)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns null when the thing does not exist, or after another refusal with the expected status. */
export async function orNull<Value>(answer: Promise<Value>, status = 404): Promise<Value | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && error.status === status) return null
    throw error
  }
}
