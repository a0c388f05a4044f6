/**
 * Locks slots, so that no two runners use the same one: they would share its core and its user ids, and their programs
 * could signal each other. The lock is an abstract socket (unix(7)): it leaves no file, and the kernel frees it however
 * its holder ends. Containers with networks of their own do not see each other's locks, because such a socket belongs
 * to a network namespace.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { MAX_SLOTS } from '../sandbox/slot.ts'

/** Another runner has the slots. The message names the setting to change. */
export class SlotsTakenError extends Error {
  override name = 'SlotsTakenError'
}

/** Locks one slot; null when another process has it. */
async function lockSlot(index: number): Promise<Server | null> {
  const server = createServer((connection) => connection.destroy())
  // The lock must not keep the process alive.
  server.unref()
  try {
    server.listen(`\0coursejudge-slot-${index}`)
    await once(server, 'listening')
    return server
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null
    throw error
  }
}

/** Locks `count` slots from `first` on, or none. @returns the number of a slot that another process has; null: all are locked */
async function lockRange(first: number, count: number): Promise<number | null> {
  const servers: Server[] = []
  for (let index = first; index < first + count; index++) {
    const server = await lockSlot(index)
    if (server) {
      servers.push(server)
      continue
    }
    for (const other of servers) {
      other.close()
      await once(other, 'close')
    }
    return index
  }
  return null
}

/**
 * Locks slots of this machine until this process ends.
 * @param first number of the first slot; null: the first place with `count` free slots side by side
 * @returns the number of the first slot
 * @throws SlotsTakenError when another process has one of them
 */
export async function lockSlots(first: number | null, count: number): Promise<number> {
  if (first !== null) {
    const taken = await lockRange(first, count)
    if (taken === null) return first
    throw new SlotsTakenError(
      `RUNNER_FIRST_SLOT is ${first}, but slot ${taken} of this machine is another runner's; give each runner ${count === 1 ? 'a slot' : `${count} slots`} of its own, or set it to auto`,
    )
  }
  for (let start = 0; start + count <= MAX_SLOTS;) {
    const taken = await lockRange(start, count)
    if (taken === null) return start
    start = taken + 1
  }
  throw new SlotsTakenError(
    `RUNNER_SLOTS is ${count}, but the other runners of this machine leave fewer of its ${MAX_SLOTS} slots side by side`,
  )
}
