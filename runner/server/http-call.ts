/**
 * One HTTP call by node:http. Not fetch(): its client and parser are compiled at run time and hold 16 MB for as
 * long as the runner lives (measured on Node 24), a fifth of all that it takes.
 */
import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** Far more than any answer but test data has, bytes: who sends more is not the server. */
const LONGEST_TEXT = 16 * 1024 * 1024

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  token: string
  /** The body; null: none. */
  json: string | null
  /** Ends the call, the reading of its answer included. */
  signal: AbortSignal
}

/** An answer whose body is read once, or let go by `drop`. Redirects are not followed. */
export interface HttpAnswer {
  url: string
  status: number
  /** Header value by lower-case name. */
  header(name: string): string | undefined
  body: IncomingMessage
}

/** @throws what the connection failed with, or the signal's reason */
export async function callHttp({
  method,
  url,
  token,
  json,
  signal,
}: HttpCall): Promise<HttpAnswer> {
  const content = json === null ? null : Buffer.from(json)
  const open = url.startsWith('https:') ? requestHttps : requestHttp
  const request = open(url, {
    method,
    signal,
    headers: {
      authorization: `Bearer ${token}`,
      ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
    },
  })
  // A connection that breaks later is an error of whoever reads the body, and of nobody where it is dropped.
  request.on('error', () => {})
  request.end(content ?? undefined)
  // The signal for this wait too: a connection that turns to another protocol (status 101) ends without an event.
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

/** The whole body as text. @throws where it has more than `LONGEST_TEXT` */
export async function readText({ body }: HttpAnswer): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > LONGEST_TEXT) throw new Error('The answer is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Frees the connection of an answer whose body nobody reads. */
export function drop({ body }: HttpAnswer): void {
  body.resume()
}
