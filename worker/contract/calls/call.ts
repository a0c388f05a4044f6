/** The type of a row in the table of calls. */
import type * as z from 'zod'
import type { ErrorCode } from '#contract/errors'
import type { TokenScope } from '#contract/people/tokens'
import type { Capability } from '#contract/roles'

/** What a call can be about. The call's guard looks that thing up for the caller and hands it to the handler. */
export type Subject =
  | 'course'
  /** The courses where the caller is staff. */
  | 'courses'
  | 'homework'
  | 'problem'
  | 'file'
  | 'submission'
  | 'question'
  | 'person'
  | 'signup'
  | 'operation'
  | 'run'
  /** A judge host, for admins. */
  | 'host'

/**
 * Who may make a call.
 * - `anyone`; `session`: any signed-in person
 * - `member`, `staff` (teacher or TA), `teacher` of the course in question; an admin may always
 * - `submitter`, `owner` of the thing; `anyStaff`: staff of any course; `admin`
 * - `runner`: a judge host's token; `registration`: the shared secret of new judge hosts; `metrics`: a collector's token
 */
export type Who = Rights['who']

/** Who may make a call, and what its guard asks. `route` in `worker/http/route.ts` mounts that guard. */
type Rights =
  | { who: 'anyone' | 'runner' | 'registration' | 'metrics'; about?: never; right?: never }
  /** `right`: what the caller's role must allow. The look-up, or the statement that does the work, checks who owns the thing. */
  | { who: 'session' | 'owner'; about?: Subject; right?: Capability }
  | { who: 'admin'; about?: Subject; right: Capability }
  /** `right`: what the caller's standing towards `about` must allow; without `right` the look-up decides alone. */
  | { who: OfCourse; about: Subject; right?: Capability }
  /** The statement that does the work also checks the rights, which saves the round trip of a look-up. */
  | { who: OfCourse; checkedBy: 'statement'; about?: never; right?: never }

type OfCourse = 'member' | 'staff' | 'teacher' | 'submitter' | 'anyStaff'

/**
 * The rate limit that a call counts against: by network address for guests, else by person or judge host. `scoreboard`: computes a
 * scoreboard. `heavyRead`: other reads of many rows. `bulkWrite`: what staff send in large numbers, such as the parts of an upload.
 */
export type RateClass =
  'guest' | 'read' | 'heavyRead' | 'scoreboard' | 'write' | 'bulkWrite' | 'host'

/** One call: its route, the OpenAPI document, the reference page and the web app's client are made from this row. */
interface Row {
  /** The scope that an API token needs, where the default of `scopeOf` does not fit; null: no token may make it. */
  scope?: TokenScope | null
  /** With `Prefer: handling=lenient` (RFC 7240) a guest is answered null instead of a 401, which browsers log. */
  tellsGuests?: true
  /** Also those may make it who have not confirmed their e-mail in time: it is about their own account. */
  unconfirmed?: true
  /** A GET that changes something; browsers may send it only from a script. */
  changes?: true
  /** Other sites and programs may make the call, because a secret in its query allows it. */
  fromAnywhere?: true
  /** The rate class, where the default of `rateOf` does not fit. */
  rate?: RateClass
  /** What the call does, in one sentence. */
  summary: string
  /** The parameters of the path, where they are more than texts. Other parameters are refused as `not_found`. */
  params?: z.ZodType
  query?: z.ZodType
  /** The JSON body; or the fields of a multipart form; or raw bytes. */
  body?: z.ZodType
  /** Field of the body → the error code of a refusal for that field, where it has its own. */
  refusedAs?: Readonly<Record<string, ErrorCode>>
  /** The most bytes of the JSON body, where the default of `bodyBytesOf` does not fit. */
  bodyBytes?: number
  form?: Readonly<Record<string, string>>
  /** The most bytes of the form's file. */
  fileBytes?: number
  bytes?: true
  /** Schema of `data`; without it `data` is null. `file`: the answer is bytes of this type instead of JSON. */
  data?: z.ZodType
  file?: string
  /** Status of success, 200 unless said; 101: a WebSocket whose messages are `data`. */
  status?: 101 | 200 | 201 | 202
  /** The answer may also be 204, when there is nothing to send. */
  mayBeEmpty?: true
  /** Refusals besides those that follow from the other properties (sign-in, rights, body, query, cross-site). */
  errors?: readonly ErrorCode[]
}

/** A part of the table: method and path below `/api`, in the router's form (`GET /problem/:id`) → the call. */
export type Rows = Readonly<
  Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Row & Rights>
>

/** One call of the API. */
export type Call = Row & Rights & { route: string }
