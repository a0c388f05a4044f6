/** What the platform gives the Worker. */

export interface Env {
  DB: D1Database
  /** Test-data zips and kept outputs. */
  BUCKET: R2Bucket
  /** Tickets for the runners. */
  JUDGE_QUEUE: Queue
  /** Background jobs of the Worker itself; it consumes this queue. */
  TASKS: Queue
  ASSETS: Fetcher
  /** Shared secret with which a new judge host registers; unset: registration is closed. */
  RUNNER_REGISTRATION_TOKEN?: string
  /** The one other origin that may call the API with credentials, when the web app runs elsewhere. */
  WEB_ORIGIN?: string
  /** Submissions a student may send per minute; `0` turns the limit off. Default: `SUBMIT_LIMITS`. */
  SUBMIT_LIMIT_PER_MINUTE?: string
}

/** Hono's view of a request: the bindings and what the middleware found out. */
export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
  }
}
