/**
 * Hints of the server, over a socket of the tab. There is one only while a page wants hints (`useLive`). A page without hints polls.
 */
import { useEffect, useEffectEvent } from 'react'
import { LIVE } from '#contract/limits'
import { LIVE_CLOSE, LIVE_PING, LIVE_PONG, liveHint, type LiveHint } from '#contract/live'
import { apiHref, apiUrl } from '../api/api.ts'
import { after } from './loading-order.ts'
import { parseJson } from '../api/parse-json.ts'
import { useSession } from '../session/session.ts'
import { createStore } from '../store.ts'

/** How long a page keeps a socket that nobody wants any more. */
const LINGER_MS = 10_000

/** Whether hints come now. */
const hintsCome = createStore(false)
/** Called with each hint, and with null when they begin to come: some may have been missed. */
type OnHint = (hint: LiveHint | null) => void
const listeners = new Set<OnHint>()

function tell(hint: LiveHint | null): void {
  for (const listener of listeners) listener(hint)
}

/** Keeps the socket open, which connects again by itself, until the signal. */
async function keepSocket(signal: AbortSignal): Promise<void> {
  await after('editor')
  const { default: ReconnectingSocket } = await import('partysocket/ws')
  if (signal.aborted) return
  const url = apiHref(apiUrl('/live')).replace(/^http/, 'ws')
  // By chance, else all tabs would come back in the same moment after an outage.
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
    // A socket that closes already may tell of it only after the next one is open.
    if (signal.aborted) return
    hintsCome.set(false)
    // Else the person's tabs would go on replacing each other's.
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
  // Without the code of sockets the page polls.
  keepSocket(end.signal).catch(() => {})
  return () => end.abort()
}

/** Who listens now, and how many pages want it. */
let listening: { username: string; wanted: number; stop: () => void } | null = null

/** Has hints come to a person's pages until the returned function is called. */
function want(username: string): () => void {
  if (listening?.username !== username) {
    listening?.stop()
    listening = { username, wanted: 0, stop: listen() }
  }
  const own = listening
  own.wanted += 1
  return () => {
    own.wanted -= 1
    // The next page may want it, too.
    setTimeout(() => {
      if (own.wanted > 0 || listening !== own) return
      own.stop()
      listening = null
    }, LINGER_MS)
  }
}

/**
 * Has hints come while a component wants them.
 * @param onHint is called with each, and with null when they begin to come
 * @returns whether they come now: only then need nobody poll
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
