/** The folder in which a local stack keeps everything. Only one stack may use it at a time. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, PlainError } from '../plain-error.ts'

/** Whether a process lives and, where /proc tells this, runs Node as every owner of a stack does. */
function isNodeProcess(pid: number): boolean {
  try {
    if (process.platform !== 'linux') return pid > 0 && process.kill(pid, 0)
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('node')
  } catch {
    return false
  }
}

/**
 * Locks the folder for this process. Two workerds on the same SQLite files would damage them.
 * @returns a function that unlocks the folder
 * @throws PlainError when another stack is running in it
 */
export function claimStateFolder(folder: string): () => void {
  const file = join(folder, 'owner-pid')
  const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (owner !== process.pid && isNodeProcess(owner))
    throw new PlainError(
      `${folder} is in use by process ${owner}. Stop that process, or choose another folder: STATE_DIR=.state2`,
    )
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, String(process.pid))
  } catch (error) {
    throw new PlainError(
      `Nothing can be written in ${folder} (${messageOf(error)}). Choose another folder: STATE_DIR=/tmp/judge npm start`,
    )
  }
  return () => rmSync(file, { force: true })
}

/** A secret that stays the same for a state folder, so that runners of an earlier start can still sign in. */
export function folderSecret(folder: string, name: string): string {
  const file = join(folder, name)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const value = randomBytes(32).toString('base64url')
  writeFileSync(file, value, { mode: 0o600 })
  return value
}
