/** Sign-in, sessions, passwords, mailed links and batch sign-up. */
import * as z from 'zod'
import { fieldError } from '#contract/errors'
import {
  courseName,
  email,
  epochSeconds,
  hexId,
  newPassword,
  requiredText,
  username,
} from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { roleCode } from '#contract/roles'

/**
 * GET /auth/me: the signed-in person. `emailConfirmed`: its owner or an admin has confirmed the e-mail. `live`: hints are pushed. `confirmBy`: by
 * when its owner has to confirm the e-mail; absent where there is no such time.
 */
export const me = z.object({
  username: z.string(),
  displayedName: z.string(),
  bio: z.string(),
  role: roleCode,
  email: z.string(),
  emailConfirmed: z.boolean(),
  confirmBy: epochSeconds.optional(),
  live: z.boolean(),
})
export type Me = z.infer<typeof me>

/**
 * POST /auth/session. `username` is a username or an e-mail address. With `sharedComputer` the session ends when the browser
 * closes, at the latest after `SESSION_SECONDS.shared`. Answers `Login Success`.
 */
export const loginBody = z.object({
  username: requiredText(TEXT_LIMITS.email),
  password: requiredText(TEXT_LIMITS.passwordMax),
  sharedComputer: z.boolean().default(false),
})
export type LoginBody = z.infer<typeof loginBody>

/** `data` of the 403 `Invalid User`: the host that the web app names in its message ERR002. */
export const invalidUserData = z.object({ host: z.string() })

/** GET /auth/sessions: the caller's sessions, newest first. `current`: the session that makes this call. Times in epoch seconds. */
export const sessionItem = z.object({
  id: hexId,
  createTime: epochSeconds,
  lastSeen: epochSeconds,
  ipAddr: z.string(),
  agent: z.string(),
  current: z.boolean(),
})
export type SessionItem = z.infer<typeof sessionItem>

/** POST /auth/change-password. Ends all sessions of that user. 403 `Wrong Password`. */
export const changePasswordBody = z.object({
  oldPassword: requiredText(TEXT_LIMITS.passwordMax),
  newPassword,
})
export type ChangePasswordBody = z.infer<typeof changePasswordBody>

/**
 * POST /auth/confirm-password: for `SESSION_SECONDS.confirmed` this session may make calls that otherwise answer 403
 * `password_required`. Signing in also confirms the password. 403 `Wrong Password`.
 */
export const confirmPasswordBody = z.object({ password: requiredText(TEXT_LIMITS.passwordMax) })
export type ConfirmPasswordBody = z.infer<typeof confirmPasswordBody>

/** POST /auth/check/username and /auth/check/email. */
export const checkUsernameBody = z.object({ username })
export const checkEmailBody = z.object({ email })

/** Answer of both checks: 1 is free, 0 is taken. */
export const checkResult = z.object({ valid: z.union([z.literal(0), z.literal(1)]) })
export type CheckResult = z.infer<typeof checkResult>

/**
 * POST /auth/password-recovery: mails a link. An inactive account gets its activation link. While nobody
 * has confirmed the address, the mail has a link for each account that claims it (the oldest ten). 404
 * `User Not Exists`.
 */
export const recoveryBody = z.object({ email })

/** The token of a mailed link: 256 random bits in base64url. */
const linkToken = requiredText(64)

/** POST /auth/password-reset. 400 `bad_link` for a link that is used, expired or wrong. */
export const resetBody = z.object({ token: linkToken, newPassword })
export type ResetBody = z.infer<typeof resetBody>

/** POST /auth/activate. `password` is required for an account that has none yet. */
export const activateBody = z.object({ token: linkToken, password: newPassword.optional() })
export type ActivateBody = z.infer<typeof activateBody>

/**
 * POST /auth/email: mails a link. With a new `email`, the link moves the account there. Without `email`, or with the present one,
 * the link confirms it (409 `email_confirmed` when it is confirmed already). 403 `join_domain` for a new address outside the domains of the code by
 * which the person joined, as long as the present address is not confirmed.
 */
export const askEmailBody = z.object({ email: email.optional() })
export type AskEmailBody = z.infer<typeof askEmailBody>

/**
 * POST /auth/email/confirm: confirms the address and sets a new password; all sessions and tokens end. Who is signed in to the account and made it
 * by joining a course needs no new password; then nothing ends. 400 `bad_link`; 409 `email_exists` when another account has confirmed the address
 * since.
 */
export const confirmEmailBody = z.object({ token: linkToken, newPassword: newPassword.optional() })
export type ConfirmEmailBody = z.infer<typeof confirmEmailBody>

/**
 * POST /auth/email/move: moves the account to the address that got the link. `newPassword` is required where the old address was not confirmed,
 * unless its owner made the account by joining a course. With a new password all sessions and tokens end.
 */
export const moveEmailBody = z.object({ token: linkToken, newPassword: newPassword.optional() })
export type MoveEmailBody = z.infer<typeof moveEmailBody>

/**
 * POST /auth/batch-signup. `newUsers` is CSV text with a header row (RFC 4180). `dryRun` checks a whole file and stores nothing; a call
 * without it stores `batchSignupStored` rows at most. With `mailLinks` a new account without a password gets a mailed link to choose
 * one, and the password column may be missing; 409 `not_configured` without mail.
 */
export const batchSignupBody = z.object({
  newUsers: requiredText(4_000_000),
  course: courseName.optional(),
  force: z.boolean().default(false),
  uppercase: z.boolean().default(false),
  mailLinks: z.boolean().default(false),
  dryRun: z.boolean().default(false),
})
export type BatchSignupBody = z.infer<typeof batchSignupBody>

/**
 * What happened, or would happen, to one CSV row. `line` counts the header as 1. `errors` are in English. `faults` are the same
 * errors with their codes (`ROW_MESSAGES`, `FIELD_MESSAGES`); `path` is the column.
 */
const batchSignupRow = z.object({
  line: z.int(),
  username: z.string(),
  action: z.enum(['create', 'update', 'enrol', 'none', 'error']),
  errors: z.array(z.string()).optional(),
  faults: z.array(fieldError).optional(),
})
export type BatchSignupRow = z.infer<typeof batchSignupRow>

/**
 * Answer of POST /auth/batch-signup. The `data` of a refusal (400) are the same rows. If one row is bad, nothing is stored: all counts are 0.
 * `notMailed`: usernames whose link could not be mailed; these people can ask for one by POST /auth/password-recovery. `waitingLinks`:
 * links that the mail service makes wait, or that took too long for this call; they are mailed later without another call.
 */
export const batchSignupResult = z.object({
  created: z.int(),
  updated: z.int(),
  enrolled: z.int(),
  unchanged: z.int(),
  notMailed: z.array(z.string()).optional(),
  waitingLinks: z.int().optional(),
  rows: z.array(batchSignupRow).max(COUNT_LIMITS.batchSignupRows),
})
export type BatchSignupResult = z.infer<typeof batchSignupResult>
