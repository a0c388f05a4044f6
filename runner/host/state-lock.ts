/**
 * Locks a state directory, so that no two runners use the same: they would delete each other's test data. The lock is a
 * socket in the directory: the kernel frees it however its holder ends. It also works between containers that share a
 * volume.
 */
import { constants, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'

/** How long to wait for the holder's answer, ms: its process may be stopped. */
const ANSWER_MS = 2_000

/** Listens on a path; false when it exists. */
async function listen(path: string): Promise<boolean> {
  const server = createServer((connection) => connection.destroy())
  server.unref()
  try {
    server.listen(path)
    await once(server, 'listening')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
}

/** Whether a living process listens on a path. A process that does not answer in time counts as living. */
async function isLocked(path: string): Promise<boolean> {
  const connection = connect(path)
  try {
    await once(connection, 'connect', { signal: AbortSignal.timeout(ANSWER_MS) })
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
  } finally {
    connection.destroy()
  }
}

/**
 * Locks the directory until this process ends.
 * @returns false when another process has it
 * @throws when the file system has no sockets
 */
export async function lockStateDir(stateDir: string): Promise<boolean> {
  // The socket's path goes by this descriptor, because it may have only 107 bytes (unix(7)). The descriptor stays open;
  // the garbage collector would close a FileHandle.
  const fd = openSync(stateDir, constants.O_RDONLY | constants.O_DIRECTORY)
  const path = `/proc/self/fd/${fd}/lock`
  if (await listen(path)) return true
  if (await isLocked(path)) return false
  // A killed runner has left the socket.
  await rm(path, { force: true })
  return listen(path)
}
