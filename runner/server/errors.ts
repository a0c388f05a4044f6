/** How a call to the server fails. */

/** The server did not answer, or answered with a fault of its own: try again later. */
export class UnreachableError extends Error {
  override name = 'UnreachableError'
  /** The wait that the server asked for; null: none. */
  retryAfterSeconds: number | null = null
}

/** The code of a refusal by a proxy or another server. */
export const NOT_FROM_SERVER = 'not_from_server'

/** The call was refused. `code` is one of `ERRORS` of the contract, or `NOT_FROM_SERVER`. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }

  /** Whether our server refused the call, not a proxy. */
  get isFromServer(): boolean {
    return this.code !== NOT_FROM_SERVER
  }
}

/** A claimed job cannot be read, because the server is newer or its data are faulty. The job must go back. */
export class UnreadableJobError extends Error {
  override name = 'UnreadableJobError'
  readonly handle: { judgementId: string; lease: string }

  constructor(handle: { judgementId: string; lease: string }, why: string) {
    super(`This runner cannot read the job: ${why}`)
    this.handle = handle
  }
}
