/** The type of an entry in the table of calls. */
import type * as z from 'zod'
import type { ErrorCode } from '#contract/errors'

/**
 * Who may make a call.
 * - `anyone`; `session`: whoever is signed in
 * - `member`, `staff` (teacher or TA), `teacher` of the course in question; an admin always
 * - `submitter`, `owner` of the thing; `anyStaff`: staff of any course; `admin`
 * - `runner`: a judge host's token; `registration`: the shared secret of new judge hosts; `metrics`: a collector's
 */
export type Who =
  | 'anyone'
  | 'session'
  | 'member'
  | 'staff'
  | 'teacher'
  | 'submitter'
  | 'owner'
  | 'anyStaff'
  | 'admin'
  | 'runner'
  | 'registration'
  | 'metrics'

/** One call of the API. The OpenAPI document and the reference page are made of these. */
export interface Call {
  /** Method and path below `/api`, in the router's form: `GET /problem/:id`. */
  route: string
  who: Who
  /** A GET that changes something all the same; browsers may send it from a script only. */
  changes?: true
  /** A GET that looks through so much that few of one person are at work at once. */
  isHeavy?: true
  /** It has limits of its own, in place of the one on all that a person writes. */
  hasOwnLimit?: true
  /** What it does, in one sentence. */
  summary: string
  query?: z.ZodType
  /** The JSON body; or the fields of a multipart form; or raw bytes. */
  body?: z.ZodType
  /** The most bytes of the JSON body, where the default of `bodyBytesOf` does not fit. */
  bodyBytes?: number
  form?: Readonly<Record<string, string>>
  /** The most bytes of the file in that form. */
  fileBytes?: number
  bytes?: true
  /** Schema of `data`; without it `data` is null. `file`: the answer is bytes of this type instead of JSON. */
  data?: z.ZodType
  file?: string
  /** Status of success, 200 unless said; 101: a WebSocket whose messages are `data`. */
  status?: 101 | 200 | 201 | 202
  /** The answer may also be 204: nothing there. */
  mayBeEmpty?: true
  /** Further refusals than those that follow from the rest (sign-in, rights, body, query, cross-site). */
  errors?: readonly ErrorCode[]
}
