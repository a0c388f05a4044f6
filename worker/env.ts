/** The Worker's bindings and settings. */
import type { Call } from '#contract/calls/call'
import type { WorkerSettings } from '#contract/installation/settings'
import type { Db } from './db/client.ts'
import type { SessionUser } from './db/sessions.ts'
import type { HostChannel } from './features/judging/hosts/host-channel.ts'
import type { LiveChannel } from './features/live/channel.ts'
import type { RateBinding } from './lib/call-rates.ts'

/** `SETTINGS` explains the settings. */
export interface Env extends WorkerSettings, Record<RateBinding, RateLimit> {
  DB: D1Database
  /** Test-data zips, kept outputs and files of statements. */
  BUCKET: R2Bucket
  /** Tickets for the runners. */
  JUDGE_QUEUE: Queue
  /** Operations of the Worker itself; it consumes this queue. */
  STEP_QUEUE: Queue
  /** The open pages of each person; undefined where the platform offers none. */
  LIVE?: DurableObjectNamespace<LiveChannel>
  /** The judge hosts that wait for a job; undefined where the platform offers none. */
  HOSTS?: DurableObjectNamespace<HostChannel>
  ASSETS: Fetcher
  /** Cloudflare's `[[send_email]]` binding, for the mail driver `cloudflare`. */
  MAIL?: SendEmail
}

/** Hono's environment: the bindings, and what middleware has found out. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    db: Db
    /** The row of this call in the table. */
    call: Call
    /** The caller, behind `requireUser`. */
    user?: SessionUser
  }
}
