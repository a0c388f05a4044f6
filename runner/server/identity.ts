/** Stores this runner's identity on disk, so that it stays the same runner after a restart. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { JUDGING } from '#contract/limits'
import { type RunnerRegistered, runnerRegistered } from '#contract/judging'

/** A runner's identity at the server. `runnerId` is null when an admin added the runner. */
export type Identity = Omit<RunnerRegistered, 'runnerId'> & { runnerId: string | null }

/** The identity of a runner that an admin added, with the settings that the server gives at registration. */
export function identityOf(ownToken: string): Identity {
  const { leaseSeconds, heartbeatSeconds, idleClaimSeconds, progressIntervalMs } = JUDGING
  const config = { leaseSeconds, heartbeatSeconds, idleClaimSeconds, progressIntervalMs }
  return { runnerId: null, token: ownToken, config }
}

const stored = z.object({ serverUrl: z.string(), name: z.string(), identity: runnerRegistered })

export class IdentityStore {
  private readonly stateDir: string

  constructor(stateDir: string) {
    this.stateDir = stateDir
  }

  /** Loads the identity for this server and name; null when there is none. */
  async load(serverUrl: string, name: string): Promise<RunnerRegistered | null> {
    try {
      const found = stored.parse(JSON.parse(await readFile(this.path, 'utf8')))
      return found.serverUrl === serverUrl && found.name === name ? found.identity : null
    } catch {
      return null
    }
  }

  /** Replaces the file atomically. Only its owner may read the token. */
  async save(serverUrl: string, name: string, identity: RunnerRegistered): Promise<void> {
    await mkdir(this.stateDir, { recursive: true, mode: 0o700 })
    await writeFile(`${this.path}.new`, JSON.stringify({ serverUrl, name, identity }), {
      mode: 0o600,
    })
    await rename(`${this.path}.new`, this.path)
  }

  private get path(): string {
    return join(this.stateDir, 'identity.json')
  }
}
