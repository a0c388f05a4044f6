/** Stands between a runner and its judge, so that a test can act at one exact point of the protocol. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'

/** `asked`: the call has not reached the judge. `answered`: the judge has answered, but the runner has not heard it. `heard`: it has. */
export type Stage = 'asked' | 'answered' | 'heard'

/** One call of the runner. */
export interface ProxiedCall {
  /** `claim`, `progress`, `result`, `release`, `heartbeat`, `test-data`, `pull`, `ack` or `register`. */
  name: string
  /** The path of the address that the runner called. */
  path: string
  stage: Stage
  body: Record<string, unknown>
  /** Status and JSON of the answer, once there is one. */
  status: number | null
  data: unknown
  /** Sends the call to the judge once more, at any time. */
  again(): Promise<{ status: number; data: unknown }>
}

/** An answer by the proxy itself. */
interface OwnAnswer {
  status: number
  headers: Record<string, string>
  text: string
}

/**
 * What happens to a call. `true`: it goes on. `false`: its connection hangs until the proxy closes. `cut`: its connection
 * ends. `twice`, in the stage `asked`: the judge gets the call twice at once. An `OwnAnswer` replaces the judge's answer.
 */
export type Act = boolean | 'cut' | 'twice' | OwnAnswer
type OnCall = (call: ProxiedCall) => Act | Promise<Act>

export interface RunnerProxy {
  /** The addresses that the runner gets in place of the stack's. */
  environment: { SERVER_URL: string; QUEUES_API_BASE: string }
  close(): Promise<void>
}

/** Ends a call that does not go on. @returns whether the call was ended */
function isEnd(act: Act, { socket }: IncomingMessage, response: ServerResponse): boolean {
  if (act === true || act === 'twice') return false
  if (act === 'cut') socket.destroy()
  else if (act !== false) response.writeHead(act.status, act.headers).end(act.text)
  return true
}

/** Passes a call on to the judge or its queue. */
async function ask(
  target: Record<string, string>,
  request: IncomingMessage,
  content: Buffer<ArrayBuffer>,
) {
  const path = request.url ?? ''
  const isQueue = path.startsWith('/queue/')
  const address = isQueue
    ? `${target['QUEUES_API_BASE']}${path.slice('/queue'.length)}`
    : `${target['SERVER_URL']}${path}`
  const answer = await fetch(address, {
    method: request.method ?? 'GET',
    headers: {
      authorization: request.headers.authorization ?? '',
      ...(content.length > 0 && { 'content-type': 'application/json' }),
    },
    body: content.length > 0 ? content : null,
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const type = answer.headers.get('content-type') ?? 'text/plain'
  const data: unknown = type.includes('json') ? JSON.parse(bytes.toString()) : null
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    type,
    bytes,
    data,
  }
}

/** Passes a WebSocket on unchanged, from its first request on. */
function relaySocket(target: Record<string, string>, request: IncomingMessage, socket: Duplex) {
  const { hostname, port, host } = new URL(target['SERVER_URL'] ?? '')
  const judge = connect(Number(port), hostname)
  const lines = Object.entries({ ...request.headers, host }).map(
    ([name, value]) => `${name}: ${String(value)}\r\n`,
  )
  judge.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
  // A killed process resets the connection.
  for (const end of [socket, judge]) end.on('error', () => {})
  pipeline(socket, judge, () => {})
  pipeline(judge, socket, () => {})
}

/** Starts a proxy to the two addresses of a runner's environment. */
export async function startRunnerProxy(
  target: Record<string, string>,
  onCall: OnCall,
): Promise<RunnerProxy> {
  const server = createServer((request, response) => {
    relay(request, response).catch(() => request.socket.destroy())
  })

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const content = Buffer.concat(chunks)
    const body = content.length > 0 ? JSON.parse(content.toString()) : {}
    const name = /\/(test-data)\/|\/(\w+)$/.exec(path)?.slice(1).find(Boolean) ?? ''
    const again = () => ask(target, request, content)
    const call = { name, path, body, status: null, data: null, again }
    const asked = await onCall({ ...call, stage: 'asked' })
    if (isEnd(asked, request, response)) return
    const [answer] = await Promise.all([again(), ...(asked === 'twice' ? [again()] : [])])
    const known = { ...call, status: answer.status, data: answer.data }
    const answered = await onCall({ ...known, stage: 'answered' })
    if (isEnd(answered, request, response)) return
    response.statusCode = answer.status
    response.setHeader('content-type', answer.type)
    if (answer.retryAfter !== null) response.setHeader('retry-after', answer.retryAfter)
    response.end(
      answer.status === 204 ? undefined : answer.bytes,
      () => void onCall({ ...known, stage: 'heard' }),
    )
  }

  const sockets = new Set<Duplex>()
  server.on('upgrade', (request, socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    relaySocket(target, request, socket)
  })

  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    environment: { SERVER_URL: url, QUEUES_API_BASE: `${url}/queue` },
    async close() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      await closed.promise
    },
  }
}
