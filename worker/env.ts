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
  /** Steps of operations; the Worker itself consumes this queue. */
  STEP_QUEUE: Queue
  /** The sockets of each person's open pages; undefined where the platform has no Durable Objects. */
  LIVE?: DurableObjectNamespace<LiveChannel>
  /** The sockets of judge hosts that wait for a job; undefined where the platform has no Durable Objects. */
  HOSTS?: DurableObjectNamespace<HostChannel>
  ASSETS: Fetcher
  /** Cloudflare's `[[send_email]]` binding, for the mail driver `cloudflare`. */
  MAIL?: SendEmail
}

/** Hono's environment: the bindings, and the values that middleware sets for a request. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    db: Db
    /** This call's row in the table of calls. */
    call: Call
    /** The course that this call of staff was about, once it has changed something. */
    changedCourseId?: number | undefined
    /** The caller, behind `requireUser`. */
    user?: SessionUser
  }
}
