/**
 * Hints of the server, over one socket a browser: the tab that gets the lock holds it and tells the others. There is one only
 * while a page wants hints (`useLive`). A page without hints polls.
 */
import { useEffect, useEffectEvent } from 'react'
import { LIVE } from '#contract/limits'
import { LIVE_CLOSE, LIVE_PING, LIVE_PONG, liveHint, type LiveHint } from '#contract/live'
import { apiHref, apiUrl } from '../api/api.ts'
import { after } from './loading-order.ts'
import { parseJson } from '../api/parse-json.ts'
import { useSession } from '../session/session.ts'
import { createStore } from '../store.ts'

/** What the tab with the socket tells the others. */
type TabMessage = { isOpen: boolean } | { hint: LiveHint }
/** What a tab asks now and then: whether the socket is open. */
const ASK = 'ask'
/** How often a page asks the tab with the socket; without an answer until then it polls. */
const ASK_MS = 5_000
/** How long a page keeps a socket that nobody wants any more. */
const LINGER_MS = 10_000

/** Whether hints come now. */
const hintsCome = createStore(false)
/** Called with each hint, and with null when they begin to come: some may have been missed. */
type OnHint = (hint: LiveHint | null) => void
const listeners = new Set<OnHint>()

function receive(message: TabMessage): void {
  const begin = 'isOpen' in message && message.isOpen && !hintsCome.get()
  if ('isOpen' in message) hintsCome.set(message.isOpen)
  if (begin) for (const listener of listeners) listener(null)
  if ('hint' in message) for (const listener of listeners) listener(message.hint)
}

/** Keeps the socket open, which connects again by itself, until the signal. */
async function keepSocket(channel: BroadcastChannel, signal: AbortSignal): Promise<void> {
  await after('editor')
  const { default: ReconnectingSocket } = await import('partysocket/ws')
  if (signal.aborted) return
  const url = apiHref(apiUrl('/live')).replace(/^http/, 'ws')
  // By chance, else all browsers would come back in the same moment after an outage.
  const minReconnectionDelay = LIVE.reconnectMs.first * (1 + 2 * Math.random())
  const maxReconnectionDelay = LIVE.reconnectMs.longest * (1 - Math.random() / 2)
  // On a slow network a socket takes longer than the library's four seconds to open.
  const connectionTimeout = LIVE.pingMs
  const delays = { minReconnectionDelay, maxReconnectionDelay, connectionTimeout }
  const socket = new ReconnectingSocket(url, [], delays)
  const isOpen = () => socket.readyState === socket.OPEN
  const broadcast = (message: TabMessage) => {
    // A socket that closes already tells of it only after the channel has been closed.
    if (signal.aborted) return
    receive(message)
    channel.postMessage(message)
  }
  // The tab before may have died without a word.
  broadcast({ isOpen: false })
  let isHeard = true
  socket.addEventListener('open', () => {
    isHeard = true
    broadcast({ isOpen: true })
  })
  socket.addEventListener('close', ({ code }) => {
    broadcast({ isOpen: false })
    // Else the person's browsers would go on replacing each other's.
    if (code === LIVE_CLOSE.replaced) socket.close()
  })
  socket.addEventListener('message', ({ data }) => {
    isHeard = true
    if (data === LIVE_PONG) return
    const hint = liveHint.safeParse(parseJson(String(data)))
    if (hint.success) broadcast({ hint: hint.data })
  })
  channel.addEventListener('message', ({ data }) => {
    if (data === ASK) broadcast({ isOpen: isOpen() })
  })
  const pings = setInterval(() => {
    if (!isOpen()) return
    if (!isHeard) return socket.reconnect()
    isHeard = false
    socket.send(LIVE_PING)
  }, LIVE.pingMs)
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true })
  })
  clearInterval(pings)
  socket.close()
  channel.postMessage({ isOpen: false } satisfies TabMessage)
}

/** Listens until the returned function is called: over the own socket, or to the tab that has it. */
function listen(username: string): () => void {
  const { locks } = navigator as Partial<Navigator>
  // Without locks, as on a page without encryption, each tab is alone.
  const name = locks ? `live:${username}` : `live:${username}:${Math.random()}`
  const channel = new BroadcastChannel(name)
  const end = new AbortController()
  const { signal } = end
  let isHeard = true
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage | typeof ASK>) => {
    if (data === ASK) return
    isHeard = true
    receive(data)
  })
  channel.postMessage(ASK)
  const asks = setInterval(() => {
    // A tab that the browser has frozen keeps its lock and answers nothing.
    if (!isHeard) hintsCome.set(false)
    isHeard = false
    channel.postMessage(ASK)
  }, ASK_MS)
  const hold = () => {
    clearInterval(asks)
    return keepSocket(channel, signal)
  }
  void (locks ? locks.request(name, { signal }, hold) : hold())
    .catch(() => {})
    .finally(() => {
      clearInterval(asks)
      channel.close()
    })
  return () => {
    end.abort()
    hintsCome.set(false)
  }
}

/** Who listens now, and how many pages want it. */
let listening: { username: string; wanted: number; stop: () => void } | null = null

/** Has hints come to a person's pages until the returned function is called. */
function want(username: string): () => void {
  if (listening?.username !== username) {
    listening?.stop()
    listening = { username, wanted: 0, stop: listen(username) }
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
