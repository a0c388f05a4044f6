/** How benchmarks make a call of the API. */
import type { BenchStack } from './stack.ts'

export interface Call {
  path: string
  cookie: string
  method?: string
  json?: unknown
  /** Instead of `json`: the body as it is. */
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  headers?: Record<string, string>
}

/** Makes a call and reads its answer; throws unless it is a success or as `allowed`. */
export async function send(
  { miniflare }: BenchStack,
  made: Call,
  allowed: readonly number[] = [200],
) {
  const { path, cookie, method = 'GET', json, body, headers } = made
  const answer = await miniflare.dispatchFetch(`http://judge.test${path}`, {
    method,
    headers: {
      Cookie: cookie,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(body !== undefined && { body, duplex: 'half' }),
  })
  const text = await answer.clone().text()
  if (!allowed.includes(answer.status)) throw new Error(`${path}: ${answer.status} ${text}`)
  return answer
}

/** Rows that a call reads in D1. */
export async function rowsReadBy(
  stack: BenchStack,
  made: Call,
  allowed?: readonly number[],
): Promise<number> {
  const headers = { ...made.headers, 'X-Count-Rows': '1' }
  const answer = await send(stack, { ...made, headers }, allowed)
  return Number(answer.headers.get('X-Rows-Read'))
}
