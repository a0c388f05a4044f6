/** What the Worker of the tests finds outside: services at `https://hooks.test`, which keep what they are sent. */
import { Response, type Request } from 'miniflare'

/** Bodies by path, in order of arrival. */
const received = new Map<string, string[]>()
/** What lets those go that are held, by path. */
const releases = new Map<string, () => void>()

/**
 * `POST /200/<name>` keeps the body and answers 200, another status likewise; a redirect leads to `/200/elsewhere-<name>`; of `/held/<name>`
 * nothing comes back before its `GET`. `GET` of the same path lists what came.
 */
export async function answerOutside(request: Request): Promise<Response> {
  const { host, pathname } = new URL(request.url)
  if (host !== 'hooks.test') return new Response(null, { status: 502 })
  const bodies = received.get(pathname) ?? []
  if (request.method === 'GET') {
    releases.get(pathname)?.()
    return Response.json(bodies)
  }
  received.set(pathname, [...bodies, await request.text()])
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
