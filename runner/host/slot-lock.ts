/**
 * A slot is one runner's: two in the same would share its core and the host ids of its programs, who could then signal
 * each other. The lock is an abstract socket (unix(7)): no file to clean up, nobody's directory, and the kernel frees it however
 * its holder ends. It reaches as far as the network namespace: containers with networks of their own do not see each other's.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { MAX_SLOTS } from '../sandbox/slot.ts'

/** The slots are another runner's; the message names the setting. */
export class SlotsTakenError extends Error {
  override name = 'SlotsTakenError'
}

/** Takes one slot; null when another process has it. */
async function lockSlot(index: number): Promise<Server | null> {
  const server = createServer((connection) => connection.destroy())
  // It lives as long as the process and keeps nothing alive.
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

/** Takes `count` slots from `first` on, all or none: null, or the number of the one that another process has. */
async function lockRange(first: number, count: number): Promise<number | null> {
  const held: Server[] = []
  for (let index = first; index < first + count; index++) {
    const server = await lockSlot(index)
    if (server) {
      held.push(server)
      continue
    }
    for (const other of held) {
      other.close()
      await once(other, 'close')
    }
    return index
  }
  return null
}

/**
 * Takes slots of this machine for the rest of this process's life.
 * @param first number of the first one; null: wherever as many are free side by side
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
