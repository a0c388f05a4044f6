/** Keeps what the server gave at registration, so that a restarted runner is the same runner. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { JUDGING } from '#contract/limits'
import { type RunnerRegistered, runnerRegistered } from '#contract/judging'

/** Who a runner is to the server. `runnerId` null: an admin added it, and it never had to ask. */
export type Identity = Omit<RunnerRegistered, 'runnerId'> & { runnerId: string | null }

/** Of a runner that was added by hand; the settings are those the server gives at registration. */
export function identityOf(ownToken: string): Identity {
  const { leaseSeconds, heartbeatSeconds, idleClaimSeconds, progressIntervalMs } = JUDGING
  const config = { leaseSeconds, heartbeatSeconds, idleClaimSeconds, progressIntervalMs }
  return { runnerId: null, token: ownToken, config }
}

const kept = z.object({ serverUrl: z.string(), name: z.string(), identity: runnerRegistered })

export class IdentityStore {
  private readonly stateDir: string

  constructor(stateDir: string) {
    this.stateDir = stateDir
  }

  /** What was kept for this server and name; null when there is nothing usable. */
  async load(serverUrl: string, name: string): Promise<RunnerRegistered | null> {
    try {
      const found = kept.parse(JSON.parse(await readFile(this.path, 'utf8')))
      return found.serverUrl === serverUrl && found.name === name ? found.identity : null
    } catch {
      return null
    }
  }

  /** Replaces the file in one step; only its owner may read the token. */
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
