/** The outside world for the Worker of the tests: services at `https://hooks.test`, which store what the Worker sends. */
import { Response, type Request } from 'miniflare'

/** Bodies and headers by path, in order of arrival. */
const received = new Map<string, { body: string; headers: Record<string, string> }[]>()
/** Functions that let held calls go on, by path. */
const releases = new Map<string, () => void>()

/**
 * `POST /200/<name>` stores the body and answers with 200; other statuses work likewise, and a redirect leads to `/200/elsewhere-<name>`.
 * `POST /held/<name>` is answered after the next `GET` of its path. A `GET` lists the bodies that its path was sent,
 * with `?headers` their headers.
 */
export async function answerOutside(request: Request): Promise<Response> {
  const { host, pathname, search } = new URL(request.url)
  if (host !== 'hooks.test') return new Response(null, { status: 502 })
  const known = received.get(pathname) ?? []
  if (request.method === 'GET') {
    releases.get(pathname)?.()
    return Response.json(known.map(({ body, headers }) => (search === '?headers' ? headers : body)))
  }
  const sent = { body: await request.text(), headers: Object.fromEntries(request.headers) }
  received.set(pathname, [...known, sent])
  const [, status, name] = pathname.split('/')
  if (status === 'held') {
    const { promise, resolve } = Promise.withResolvers<void>()
    releases.set(pathname, resolve)
    await promise
    return new Response()
  }
  const headers = { Location: `https://hooks.test/200/elsewhere-${name}` }
  return new Response(null, { status: Number(status), headers })
}
