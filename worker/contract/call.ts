/** What the table of calls says about one call. */
import type * as z from 'zod'
import type { ErrorCode } from '#contract/errors'

/**
 * Who may make a call: anyone · `session`: whoever is signed in · member, staff (teacher or TA) or teacher of the
 * course it is about, an admin always · `submitter` · `owner` of the thing · `anyStaff`: of any course · admin ·
 * `runner`: a judge host's token · `registration`: the shared secret of new judge hosts.
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

/** One call of the API; the OpenAPI document and the reference page are made of these. */
export interface Call {
  /** Method and path below `/api`, as the router has it: `GET /problem/:id`. */
  route: string
  who: Who
  /** What it does, in one sentence. */
  summary: string
  query?: z.ZodType
  /** The JSON body; or the fields of a multipart form; or raw bytes. */
  body?: z.ZodType
  /** The most bytes of a JSON body, where they are not what `bodyBytesOf` says of its like. */
  bodyBytes?: number
  form?: Readonly<Record<string, string>>
  /** The most bytes of the file in that form. */
  fileBytes?: number
  bytes?: true
  /** Schema of `data`; absent: null. `file`: the answer is no JSON but bytes of this type. */
  data?: z.ZodType
  file?: string
  /** Status of success, 200 unless said. */
  status?: 200 | 201 | 202
  /** It may also answer 204: nothing there. */
  mayBeEmpty?: true
  /** Refusals beside those that follow from the rest (sign-in, rights, body, query, cross-site). */
  errors?: readonly ErrorCode[]
}
