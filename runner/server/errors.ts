/** The ways in which a call to the server fails. */

/** The server could not be reached, or answered with a fault of its own: try again later. */
export class UnreachableError extends Error {
  override name = 'UnreachableError'
  /** Seconds the server asked to wait, if it did. */
  retryAfterSeconds: number | null = null
}

/** The code of a refusal that is not in the server's words: a proxy on the way, or another server. */
export const NOT_FROM_SERVER = 'not_from_server'

/** The server understood and said no. `code` is one of `ERRORS` of the contract, or `NOT_FROM_SERVER`. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }

  /** Whether the server itself said so. */
  get isFromServer(): boolean {
    return this.code !== NOT_FROM_SERVER
  }
}

/** The server gave a job that this runner cannot read: a newer server, or a fault in its data. It must go back. */
export class UnreadableJobError extends Error {
  override name = 'UnreadableJobError'
  readonly handle: { judgementId: string; lease: string }

  constructor(handle: { judgementId: string; lease: string }, why: string) {
    super(`This runner cannot read the job: ${why}`)
    this.handle = handle
  }
}
