/** What the platform gives the Worker. */
import type { SessionUser } from './db/sessions.ts'

export interface Env {
  DB: D1Database
  /** Test-data zips and kept outputs. */
  BUCKET: R2Bucket
  /** Tickets for the runners. */
  JUDGE_QUEUE: Queue
  /** Operations of the Worker itself; it consumes this queue. */
  STEP_QUEUE: Queue
  ASSETS: Fetcher
  /** Shared secret with which a new judge host registers; unset: registration is closed. */
  RUNNER_REGISTRATION_TOKEN?: string
  /**
   * The origin of the web app, like `https://judge.example.org`, without a slash at its end: links in mails lead there,
   * and no mail with a link is sent without it. When the web app runs on another host than the API, it is the one
   * origin that may call the API with credentials.
   */
  WEB_ORIGIN?: string
  /**
   * Submissions a student may send per minute; `0` turns this limit off, and the budget for writes with it, for
   * benchmarks and load tests. Default: `SUBMIT_LIMITS`.
   */
  SUBMIT_LIMIT_PER_MINUTE?: string
  /**
   * How mail leaves: `cloudflare` (binding `MAIL`), `http` (a JSON mail API) or `log` (a row in
   * `logged_mails`; local only, because links stand in it). Unset: none leaves, and each is an error in the log.
   */
  MAIL_DRIVER?: string
  /** Sender address of all mail, e.g. `judge@example.org`; needed by `cloudflare` and `http`. */
  MAIL_FROM?: string
  /** Cloudflare's `[[send_email]]` binding, for the driver `cloudflare`. */
  MAIL?: SendEmail
  /** For the driver `http`: where `{from, to, subject, text}` is POSTed. */
  MAIL_API_URL?: string
  /** Sent there as `Authorization: Bearer …`; a secret. */
  MAIL_API_KEY?: string
}

/** Hono's view of a request: the bindings and what the middleware found out. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    /** Who calls, once `requireUser` has let them through. */
    user?: SessionUser
  }
}
