/**
 * One process per state directory: two would empty each other's test data and write one output file. A
 * socket in the directory is the lock, because the kernel frees it however its holder ends, and because
 * it holds between containers that share a volume.
 */
import { constants, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'

/** Ends every wait for a holder that is stopped, ms. */
const ANSWER_MS = 2_000

/** Listens on the path; false when something is there already. */
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

/** Whether a living process listens there; one that does not answer at once lives, too. */
async function isHeld(path: string): Promise<boolean> {
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
 * Takes the directory for the rest of this process's life.
 * @returns false when another process has it
 * @throws when the file system knows no sockets
 */
export async function lockStateDir(stateDir: string): Promise<boolean> {
  // By descriptor, because the path of a socket may have 107 bytes only (unix(7)). It stays open; a
  // FileHandle would be closed with the garbage.
  const fd = openSync(stateDir, constants.O_RDONLY | constants.O_DIRECTORY)
  const path = `/proc/self/fd/${fd}/lock`
  if (await listen(path)) return true
  if (await isHeld(path)) return false
  // What a killed runner left.
  await rm(path, { force: true })
  return listen(path)
}
