/**
 * One HTTP call by node:http. It does not use fetch(), whose client and parser hold 16 MB for as long as the runner lives
 * (measured on Node 24), a fifth of the runner's memory.
 */
import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** Far more bytes than any answer has, apart from test data. */
const LONGEST_TEXT_BYTES = 16 * 1024 * 1024

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  token: string
  /** The caller's name; Cloudflare's Browser Integrity Check refuses calls without one. */
  agent: string
  /** Null: no body. */
  json: string | null
  /** Ends the call, also while its answer is read. */
  signal: AbortSignal
}

/** An answer. Read its body once, or `drop` it. Redirects are not followed. */
export interface HttpAnswer {
  url: string
  status: number
  /** Header value by lower-case name. */
  header(name: string): string | undefined
  body: IncomingMessage
}

/** @throws the connection's error, or the signal's reason */
export async function callHttp({
  method,
  url,
  token,
  agent,
  json,
  signal,
}: HttpCall): Promise<HttpAnswer> {
  const content = json === null ? null : Buffer.from(json)
  const open = url.startsWith('https:') ? requestHttps : requestHttp
  const request = open(url, {
    method,
    signal,
    headers: {
      'user-agent': agent,
      authorization: `Bearer ${token}`,
      ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
    },
  })
  // If the connection breaks later, reading the body reports it; after the body was dropped, nobody needs to know.
  request.on('error', () => {})
  request.end(content ?? undefined)
  // This wait needs the signal too: a connection that switches protocols (status 101) ends without an event.
  const [answer]: IncomingMessage[] = await once(request, 'response', { signal })
  if (!answer) throw new Error('The connection closed without an answer.')
  answer.on('error', () => {})
  return {
    url,
    status: answer.statusCode ?? 0,
    header: (name) => answer.headers[name]?.toString(),
    body: answer,
  }
}

/** Reads the body as text. @throws Error above `LONGEST_TEXT_BYTES` */
export async function readText({ body }: HttpAnswer): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > LONGEST_TEXT_BYTES) throw new Error('The answer is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Discards a body, which frees the connection. */
export function drop({ body }: HttpAnswer): void {
  body.resume()
}
