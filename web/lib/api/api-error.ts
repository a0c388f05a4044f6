/** The one error that calls to the API throw. */
import * as z from 'zod'
import { fieldError, type FieldError } from '#contract/errors'

/** Codes of failures in which the API did not answer. */
export const LOCAL_ERROR_CODES = {
  network: 'network',
  badAnswer: 'bad_answer',
  /** Cloudflare ended the request: it took more CPU time than the plan gives. */
  cpuLimit: 'cpu_limit',
} as const

interface ApiErrorFields {
  /** HTTP status; 0 when no answer came. */
  status: number
  code: string
  message: string
  data?: unknown
  retryAfterSeconds?: number | null
}

/** A refused or failed call. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly data: unknown
  readonly retryAfterSeconds: number | null

  constructor(fields: ApiErrorFields) {
    super(fields.message)
    this.name = 'ApiError'
    this.status = fields.status
    this.code = fields.code
    this.data = fields.data ?? null
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null
  }

  /** The refused fields of a body; empty after other failures. */
  get fieldErrors(): FieldError[] {
    return refusalData(this, z.array(fieldError)) ?? []
  }
}

/** The data of a refused call; undefined for other data and other failures. */
export function refusalData<T extends z.ZodType>(
  error: unknown,
  schema: T,
): z.output<T> | undefined {
  return schema.safeParse(error instanceof ApiError ? error.data : undefined).data
}

/** Whether the API refused with a code. */
export function isRefusal(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code
}

/** Whether a retry may help: server failures, lost connections and bodies that arrived only in part. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.status === 0 || error.status === 408 || error.status >= 500)
  )
}

/** Whether the API limits the call (429). */
export function isLimited(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429
}

/** Whether the API answered 404. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
