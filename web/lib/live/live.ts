/**
 * Live hints of the server, here "hints" for short, over a socket of the tab. The socket is open only while a page wants
 * them (`useLive`). A page without them polls.
 */
import { useEffect, useEffectEvent } from 'react'
import { LIVE } from '#contract/limits'
import { LIVE_CLOSE, LIVE_PING, LIVE_PONG, liveHint, type LiveHint } from '#contract/live'
import { apiHref, apiUrl } from '../api/api.ts'
import { after } from './loading-order.ts'
import { parseJson } from '../api/parse-json.ts'
import { useSession } from '../session/session.ts'
import { createStore } from '../store.ts'

/** How long the tab keeps a socket that no page wants any more, in ms. */
const LINGER_MS = 10_000

/** Whether hints come now. */
const hintsCome = createStore(false)
/** Called with each hint, and with null when hints begin to come: earlier ones may have been missed. */
type OnHint = (hint: LiveHint | null) => void
const listeners = new Set<OnHint>()

function tell(hint: LiveHint | null): void {
  for (const listener of listeners) listener(hint)
}

/** Keeps a socket open until the signal; it reconnects by itself. */
async function keepSocket(signal: AbortSignal): Promise<void> {
  await after('editor')
  const { default: ReconnectingSocket } = await import('partysocket/ws')
  if (signal.aborted) return
  const url = apiHref(apiUrl('/live')).replace(/^http/, 'ws')
  // At random, so that not all tabs come back at the same moment after an outage.
  const minReconnectionDelay = LIVE.reconnectMs.first * (1 + 2 * Math.random())
  const maxReconnectionDelay = LIVE.reconnectMs.longest * (1 - Math.random() / 2)
  // On a slow network a socket takes longer than the library's four seconds to open.
  const connectionTimeout = LIVE.pingMs
  const delays = { minReconnectionDelay, maxReconnectionDelay, connectionTimeout }
  const socket = new ReconnectingSocket(url, [], delays)
  let isHeard = true
  socket.addEventListener('open', () => {
    isHeard = true
    hintsCome.set(true)
    tell(null)
  })
  socket.addEventListener('close', ({ code }) => {
    // After the abort, the next socket may already be open when this socket reports its end.
    if (signal.aborted) return
    hintsCome.set(false)
    // This tab does not reconnect, or the person's tabs would replace each other's sockets for ever.
    if (code === LIVE_CLOSE.replaced) socket.close()
  })
  socket.addEventListener('message', ({ data }) => {
    isHeard = true
    if (data === LIVE_PONG || signal.aborted) return
    const hint = liveHint.safeParse(parseJson(String(data)))
    if (hint.success) tell(hint.data)
  })
  const pings = setInterval(() => {
    if (socket.readyState !== socket.OPEN) return
    if (!isHeard) return socket.reconnect()
    isHeard = false
    socket.send(LIVE_PING)
  }, LIVE.pingMs)
  signal.addEventListener('abort', () => {
    clearInterval(pings)
    socket.close()
    hintsCome.set(false)
  })
}

/** Listens until the returned function is called. */
function listen(): () => void {
  const end = new AbortController()
  // If the code of sockets cannot be loaded, the page polls.
  keepSocket(end.signal).catch(() => {})
  return () => end.abort()
}

/** The person who listens now, and how many components want hints. */
let listening: { username: string; wanted: number; stop: () => void } | null = null

/** Keeps hints coming to a person's pages until the returned function is called. */
function want(username: string): () => void {
  if (listening?.username !== username) {
    listening?.stop()
    listening = { username, wanted: 0, stop: listen() }
  }
  const own = listening
  own.wanted += 1
  return () => {
    own.wanted -= 1
    // The socket stays open a moment longer, because the next page may want it, too.
    setTimeout(() => {
      if (own.wanted > 0 || listening !== own) return
      own.stop()
      listening = null
    }, LINGER_MS)
  }
}

/**
 * Keeps hints coming while a component wants them.
 * @param onHint called with each hint, and with null when hints begin to come
 * @returns whether hints come now, so that nobody need poll
 */
export function useLive(isWanted: boolean, onHint: OnHint): boolean {
  const { user } = useSession()
  const username = isWanted && user?.live === true ? user.username : null
  const come = hintsCome.use()
  useEffect(() => (username === null ? undefined : want(username)), [username])
  const hear = useEffectEvent(onHint)
  useEffect(() => {
    if (username === null) return undefined
    const listener: OnHint = (hint) => hear(hint)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [username])
  return username !== null && come
}
