/**
 * Locks slots, so that no two runners use the same: they would share its core and the user ids of its programs, which
 * could then signal each other. The lock is an abstract socket (unix(7)): it leaves no file, and the kernel frees it
 * however its holder ends. It holds within a network namespace: containers with networks of their own do not see each
 * other's locks.
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
  // It must not keep the process alive.
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

/** Locks all of `count` slots from `first` on, or none. @returns the number of one that another process has, or null */
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
 * @param first number of the first one; null: wherever `count` are free side by side
 * @returns the number of the first one
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
