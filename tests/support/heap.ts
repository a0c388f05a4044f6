/**
 * The memory that a Worker or a Node process holds, through its inspector (Chrome DevTools Protocol). V8 collects garbage at
 * any time, so the test collects it first.
 */
import { setImmediate } from 'node:timers/promises'
import { WebSocket } from 'ws'
import * as z from 'zod'

const target = z.object({ webSocketDebuggerUrl: z.string() })
const reply = z.object({ id: z.int().optional(), result: z.unknown().optional() })
/** In bytes: objects, the runtime's data about them, and array buffers. */
const usage = z.object({
  usedSize: z.number(),
  embedderHeapUsedSize: z.number(),
  backingStorageSize: z.number(),
})

export interface Heap {
  /** MB that are in use after a garbage collection. */
  heldMb(): Promise<number>
  close(): void
}

/**
 * Opens the heap of the Worker or of a Node process.
 * @param url of the inspector
 * @param nudge a call to the Worker; workerd collects garbage at its next work
 */
export async function openHeap(
  url: URL,
  nudge: () => Promise<unknown> = () => setImmediate(),
): Promise<Heap> {
  const answer = await fetch(`http://${url.host}/json`)
  const [found] = z.array(target).parse(await answer.json())
  if (!found) throw new Error('there is no inspector')
  // This WebSocket sends no user agent, unlike Node's own: wrangler requires an origin of callers that send one.
  const socket = new WebSocket(found.webSocketDebuggerUrl)
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result } = reply.parse(JSON.parse(String(data)))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
  })
  let calls = 0
  const call = (method: string) =>
    new Promise<unknown>((resolve) => {
      calls += 1
      waiting.set(calls, resolve)
      socket.send(JSON.stringify({ id: calls, method }))
    })
  return {
    async heldMb() {
      const collection = { isOver: false }
      const over = call('HeapProfiler.collectGarbage').then(() => (collection.isOver = true))
      while (!collection.isOver) await nudge()
      await over
      const sizes = usage.parse(await call('Runtime.getHeapUsage'))
      return (sizes.usedSize + sizes.embedderHeapUsedSize + sizes.backingStorageSize) / 1024 ** 2
    },
    close: () => socket.close(),
  }
}
