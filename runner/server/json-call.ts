/** JSON calls: their deadlines, their errors, and the parsing of their answers. */
import * as z from 'zod'
import { errorEnvelope, okEnvelope } from '#contract/errors'
import { NOT_FROM_SERVER, RefusedError, UnreachableError } from './errors.ts'
import { callHttp, type HttpAnswer, type HttpCall, readText } from './http-call.ts'

/** Deadline of a JSON call, ms. A large body adds the time that a slow line takes for it. */
export const CALL_TIMEOUT_MS = 15_000
const SLOWEST_BYTES_PER_MS = 32
interface Call extends Pick<HttpCall, 'method' | 'url' | 'token' | 'agent'> {
  /** Sent as JSON. */
  body?: unknown
}

/** Sends a call. @throws UnreachableError when there is no answer in time */
export async function send({ body, ...call }: Call, signal?: AbortSignal): Promise<HttpAnswer> {
  const json = body === undefined ? null : JSON.stringify(body)
  const timeoutMs = CALL_TIMEOUT_MS + Math.ceil((json?.length ?? 0) / SLOWEST_BYTES_PER_MS)
  try {
    return await callHttp({ ...call, json, signal: signal ?? AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    throw new UnreachableError(`No answer from ${new URL(call.url).host}`, { cause: error })
  }
}

/** Explains a refusal whose answer is a web page instead of JSON. */
function pageRefusal({ url, status, header }: HttpAnswer): string {
  const { host } = new URL(url)
  const ray = header('cf-ray')
  if (![403, 429, 503].includes(status))
    return `${host} answered ${status} with a web page. Check SERVER_URL: it is not the server.`
  return (
    `${host} answered ${status} with a web page${ray === undefined ? '' : ` (Cloudflare Ray ID ${ray})`}, not the server. ` +
    'A firewall refuses this runner, such as Cloudflare’s Browser Integrity Check or a WAF rule. ' +
    'Add a custom rule in Cloudflare under Security rules: when starts_with(http.request.uri.path, "/api/runner/") or starts_with(http.request.uri.path, "/runner/"), ' +
    'action Skip: all managed rules, rate limiting rules, Super Bot Fight Mode, Browser Integrity Check. Turn Bot Fight Mode off.'
  )
}

/** Returns a 2xx answer. @throws UnreachableError or RefusedError for any other */
export async function checked(answer: HttpAnswer): Promise<HttpAnswer> {
  if (answer.status >= 200 && answer.status < 300) return answer
  const text = await readText(answer).catch(() => '')
  const said = /^\s*</.test(text) ? pageRefusal(answer) : `The server answered ${answer.status}.`
  if (answer.status >= 500 || answer.status === 429 || answer.status === 408) {
    const error = new UnreachableError(said)
    error.retryAfterSeconds = Number(answer.header('retry-after')) || null
    throw error
  }
  const refusal = parseOrNull(text, errorEnvelope)
  throw new RefusedError(answer.status, refusal?.code ?? NOT_FROM_SERVER, refusal?.message ?? said)
}

function parseOrNull<T extends z.ZodType>(text: string, schema: T): z.output<T> | null {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Parses an answer. An answer that does not match the schema counts as no answer. */
export async function readJson<T>(answer: HttpAnswer, schema: z.ZodType<T>): Promise<T> {
  try {
    return schema.parse(JSON.parse(await readText(answer)))
  } catch (error) {
    throw new UnreachableError(`An answer of ${answer.url} cannot be understood`, { cause: error })
  }
}

/** Parses the data of an answer of the API. */
export async function readData<T>(answer: HttpAnswer, data: z.ZodType<T>): Promise<T> {
  const envelope = okEnvelope(z.unknown()).transform((ok) => ok.data)
  return readJson(answer, envelope.pipe(data))
}
