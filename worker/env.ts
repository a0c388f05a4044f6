/** The Worker's bindings and settings. */
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
  /** Shared secret of new judge hosts. Unset: registration is closed. */
  RUNNER_REGISTRATION_TOKEN?: string
  /**
   * The origin of the web app, e.g. `https://judge.example.org`, without a slash at the end. Links in mails
   * lead there; without it no mail with a link is sent. If the API has another host, this is the only
   * origin that may call it with credentials.
   */
  WEB_ORIGIN?: string
  /**
   * Submissions per student and minute. `0` turns this limit and the one on writes off, for benchmarks and
   * load tests. Default: `SUBMIT_LIMITS`.
   */
  SUBMIT_LIMIT_PER_MINUTE?: string
  /**
   * The mail driver: `cloudflare` (binding `MAIL`), `http` (a JSON mail API) or `log` (a row in
   * `logged_mails`; local only, because it stores links). Unset: every mail is an error in the log.
   */
  MAIL_DRIVER?: string
  /** Sender of all mail, e.g. `judge@example.org`; required by `cloudflare` and `http`. */
  MAIL_FROM?: string
  /** Cloudflare's `[[send_email]]` binding, for the driver `cloudflare`. */
  MAIL?: SendEmail
  /** For the driver `http`: the URL that takes `{from, to, subject, text}`. */
  MAIL_API_URL?: string
  /** Sent there as `Authorization: Bearer …`; a secret. */
  MAIL_API_KEY?: string
}

/** Hono's environment: the bindings, and what middleware has found out. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    /** The caller, behind `requireUser`. */
    user?: SessionUser
  }
}
