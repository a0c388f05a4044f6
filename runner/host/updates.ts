/**
 * Ends an installed runner so that its service starts the one that the server publishes. Before each start the service
 * fetches that runner (`runner/install/update.sh`). If the download fails, the old runner starts again and must not end at once.
 */
import { statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describeError, type Log } from '../lib/log.ts'

/** The shortest time between two ends for an update, ms. */
const PAUSE_MS = 3_600_000

/** The SHA-256 of the package that a runner was unpacked from: its folder's name. Null: the runner was not installed from one. */
function packOf(directory: string): string | null {
  const name = basename(directory)
  return /^[\da-f]{64}$/.test(name) ? name : null
}

export class Updates {
  /** A file whose modification time says when this runner last ended for an update. */
  private readonly mark: string
  private readonly log: Log
  private readonly own: string | null
  private wanted = false

  /** @param directory where the runner is */
  constructor(stateDir: string, log: Log, directory = import.meta.dirname) {
    this.mark = join(stateDir, 'updated')
    this.log = log
    this.own = packOf(directory)
  }

  /** Notes the package that the server publishes. @returns whether the runner should end for it as soon as it is idle */
  offer(pack: string | undefined): boolean {
    const last = statSync(this.mark, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity
    const isOther = this.own !== null && pack !== undefined && pack !== this.own
    this.wanted = isOther && Math.abs(Date.now() - last) > PAUSE_MS
    return this.wanted
  }

  /** Whether an idle runner ends now. If it cannot note the time, it stays; otherwise it would end again and again. */
  begin(): boolean {
    if (!this.wanted) return false
    this.wanted = false
    try {
      writeFileSync(this.mark, '')
    } catch (error) {
      this.log('update_failed', { error: describeError(error) })
      return false
    }
    this.log('updating')
    return true
  }
}
