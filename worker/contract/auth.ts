/** Sign-in, sessions and batch sign-up (contract §2). */
import * as z from 'zod'
import { courseName, requiredText } from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { roleCode } from '#contract/roles'

/** GET /auth/me: the signed-in person. */
export const me = z.object({
  username: z.string(),
  displayedName: z.string(),
  bio: z.string(),
  role: roleCode,
  email: z.string(),
})
export type Me = z.infer<typeof me>

/** POST /auth/session. `username` is a username or an e-mail address. Answers `Login Success`. */
export const loginBody = z.object({
  username: requiredText(TEXT_LIMITS.email),
  password: requiredText(TEXT_LIMITS.passwordMax),
})
export type LoginBody = z.infer<typeof loginBody>

/** `data` of the 403 `Invalid User`: the host that fills the spec's message ERR002. */
export const invalidUserData = z.object({ host: z.string() })

/** POST /auth/batch-signup. `newUsers` is CSV text with a header row (RFC 4180). */
export const batchSignupBody = z.object({
  newUsers: requiredText(4_000_000),
  course: courseName.optional(),
  force: z.boolean().default(false),
  uppercase: z.boolean().default(false),
  dryRun: z.boolean().default(false),
})
export type BatchSignupBody = z.infer<typeof batchSignupBody>

/** What happened, or would happen, to one CSV row. `line` counts the header as 1. */
export const batchSignupRow = z.object({
  line: z.int(),
  username: z.string(),
  action: z.enum(['create', 'update', 'enrol', 'none', 'error']),
  errors: z.array(z.string()).optional(),
})
export type BatchSignupRow = z.infer<typeof batchSignupRow>

/** Answer of POST /auth/batch-signup; the same rows are the `data` of its 400. */
export const batchSignupResult = z.object({
  created: z.int(),
  updated: z.int(),
  enrolled: z.int(),
  unchanged: z.int(),
  rows: z.array(batchSignupRow).max(COUNT_LIMITS.batchSignupRows),
})
export type BatchSignupResult = z.infer<typeof batchSignupResult>
