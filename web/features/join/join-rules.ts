/** What the page for joining makes of codes, addresses and refusals. */
import type { ErrorCode } from '#contract/errors'
import { joinCodeKey, joinCodeText } from '#contract/joining'
import { JOIN_LIMITS } from '#contract/limits'
import { ApiError } from '../../lib/api/api-error.ts'
import { safeRedirect } from '../../lib/navigation/redirect.ts'
import { paths } from '../../paths.ts'

/** The code in what somebody has typed, scanned or pasted: a code, or a whole link with the code behind `#`. */
export function codeIn(typed: string): string {
  // Input methods write letters and dashes of other widths.
  const text = typed.slice(typed.lastIndexOf('#') + 1).normalize('NFKC')
  return joinCodeKey(text.replaceAll(/[^\p{L}\p{N}]/gu, ''))
}

/** The code in an address's hash; null for no code, such as the hash of the link to the page's main part. */
export function codeOfHash(hash: string): string | null {
  const code = joinCodeKey(hash.replace(/^#/, ''))
  const lengths: number[] = [JOIN_LIMITS.codeLength, JOIN_LIMITS.invitationLength]
  return lengths.includes(code.length) ? code : null
}

/** The address of the page with a code; the rest of its address stays. */
export function withCode(search: string, code: string): string {
  return `${paths.join()}${search}#${joinCodeText(code)}`
}

/** The page after joining: the wanted one if it is in the course, else the course's homeworks. @param wanted the `redirect` query */
export function pathAfterJoining(course: string, wanted: string | null): string {
  const path = safeRedirect(wanted)
  return path?.startsWith(`${paths.course(course)}/`) ? path : paths.homeworks(course)
}

/** The one way on from a refusal: another code, the course, one's own e-mail address, or one's courses. */
export type WayOn = 'code' | 'course' | 'profile' | 'courses'

const WAYS: Partial<Record<ErrorCode, WayOn>> = {
  join_code_not_found: 'code',
  join_code_expired: 'code',
  join_code_full: 'code',
  join_domain: 'profile',
  join_refused: 'courses',
  course_closed: 'courses',
  already_member: 'course',
  email_unconfirmed: 'profile',
  confirm_email_first: 'profile',
}

/** What a table says of a refusal; null for other failures and refusals. */
function lookUp<Value>(table: Partial<Record<string, Value>>, error: unknown): Value | null {
  return (error instanceof ApiError ? table[error.code] : undefined) ?? null
}

/** The way on from a failed attempt to join; null: none but another try. */
export function wayOnFrom(error: unknown): WayOn | null {
  return lookUp(WAYS, error)
}

/** What somebody types to get an account. */
export interface AccountValues extends Record<string, unknown> {
  username: string
  email: string
  newPassword: string
  repeat: string
  displayedName: string
  sharedComputer: boolean
}

/** The body of the call that makes the account. */
export function toAccount(code: string, values: AccountValues) {
  const { repeat: _, newPassword: password, displayedName, ...rest } = values
  return { code, password, ...rest, ...(displayedName.trim() !== '' && { displayedName }) }
}

const FIELDS: Partial<Record<ErrorCode, 'username' | 'email'>> = {
  username_exists: 'username',
  email_exists: 'email',
  join_domain: 'email',
}

/** The field of a new account that a refusal is about; null for the whole form. */
export function fieldOfRefusal(error: unknown): 'username' | 'email' | null {
  return lookUp(FIELDS, error)
}
