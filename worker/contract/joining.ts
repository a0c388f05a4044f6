/** Joining a course: by a code that its teacher shows, by an invitation as teaching assistant, and leaving again. */
import * as z from 'zod'
import { mapByName } from '#contract/by-name'
import {
  email,
  epochSeconds,
  intBetween,
  listOf,
  listOfUsernames,
  newPassword,
  requiredText,
  userInfo,
  username,
} from '#contract/fields'
import { COUNT_LIMITS, JOIN_LIMITS } from '#contract/limits'
import { courseRole } from '#contract/roles'
import { displayedName } from '#contract/people/users'

/**
 * The characters of codes, without those that look alike. A code has `JOIN_LIMITS.codeLength` of them, 7.9 × 10¹⁷ codes: a thousand
 * networks that guess at the highest permitted rate for a term (120 days) find one of a hundred codes with a chance of 1 in 15,000.
 */
export const JOIN_CODE_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** A code as it is compared: capitals, without spaces and hyphens. */
export function joinCodeKey(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toUpperCase()
}

/** A code as people read it: in groups of four. */
export function joinCodeText(code: string): string {
  return code.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** A code as somebody types it, or the longer one of an invitation. */
const typedCode = requiredText(64).transform(joinCodeKey)

/** A domain of e-mail addresses, such as `example.edu`; it stands for addresses at its subdomains, too. */
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(JOIN_LIMITS.domain)
  .regex(/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u)

/** Whether an address is at one of the domains; no domains allow every address. */
export function isAtDomain(address: string, domains: readonly string[]): boolean {
  const host = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return domains.length === 0 || domains.some((one) => host === one || host.endsWith(`.${one}`))
}

/** Who may join by a code: until when (null: no end), how many at most (null: any number), from which domains, and whether staff approve each. */
const rules = {
  labelId: z.int().min(1).nullable(),
  until: epochSeconds.nullable(),
  most: intBetween(1, JOIN_LIMITS.people).nullable(),
  domains: listOf(domain, JOIN_LIMITS.domains),
  approval: z.boolean(),
}

/** POST /course/{name}/join-codes: a code for students. With `labelId` they get the label. */
export const newJoinCode = z.object({
  labelId: rules.labelId.default(null),
  until: rules.until.default(null),
  most: rules.most.default(null),
  domains: rules.domains.default([]),
  approval: rules.approval.default(false),
})
export type NewJoinCode = z.output<typeof newJoinCode>

/**
 * PATCH /course/{name}/join-codes/{codeId}. An absent field changes nothing. `rotate`: a new code takes the place of the old one, which ends.
 * `closed: true` ends the code, `false` opens it again. An invitation can only be closed.
 */
export const joinCodeEdit = z.object({
  labelId: rules.labelId.optional(),
  until: rules.until.optional(),
  most: rules.most.optional(),
  domains: rules.domains.optional(),
  approval: rules.approval.optional(),
  rotate: z.literal(true).optional(),
  closed: z.boolean().optional(),
})
export type JoinCodeEdit = z.infer<typeof joinCodeEdit>

/** The parameters of a path with a course and a code of it. */
export const joinCodeInPath = z.object({
  name: z.string(),
  codeId: z.coerce.number<string>().pipe(z.int().min(1)),
})

/**
 * A code as staff see it. `code` null: an invitation, whose code only the mail to `email` has. `joined`: how many have used it, people who wait or were refused included.
 * `closedAt` null: nobody has closed it.
 */
export const joinCode = z.object({
  id: z.int(),
  code: z.string().nullable(),
  role: courseRole.exclude(['teacher']),
  email: z.string().nullable(),
  ...rules,
  domains: z.array(z.string()),
  joined: z.int(),
  createTime: epochSeconds,
  closedAt: epochSeconds.nullable(),
})
export type JoinCode = z.infer<typeof joinCode>

/** A person who waits for approval. `email` exists only if it is confirmed. */
const joinRequest = z.object({
  user: userInfo,
  email: z.string().optional(),
  codeId: z.int().nullable(),
  createTime: epochSeconds,
})
export type JoinRequest = z.infer<typeof joinRequest>

/**
 * GET /course/{name}/joining: codes and invitations, the newest first; the people who wait, the oldest first; and how members came: username →
 * when, and the code, null for those whom staff added.
 */
export const joining = z.object({
  codes: z.array(joinCode),
  waiting: z.array(joinRequest),
  came: mapByName(z.object({ at: epochSeconds, codeId: z.int().nullable() })),
})
export type Joining = z.infer<typeof joining>

/** POST /course/{name}/invitations: mails these people an invitation to become teaching assistants, each with a code of its own for a week. */
export const invitations = z.object({ emails: listOf(email, COUNT_LIMITS.invitations, 1) })

/** PATCH /course/{name}/join-requests: lets people in, or refuses them. People who do not wait any more stay as they are. */
export const joinAnswers = z.object({
  approve: listOfUsernames(COUNT_LIMITS.membersPerRequest).default([]),
  refuse: listOfUsernames(COUNT_LIMITS.membersPerRequest).default([]),
})
export type JoinAnswers = z.output<typeof joinAnswers>

/** POST /join/look, POST /join. */
export const joinBody = z.object({ code: typedCode })

/**
 * Answer of POST /join/look: the course of a code. `email`: the invited address. `fault`: why nobody can join by it now. `newAccounts`: whether
 * people without an account can make one here.
 */
export const joinOffer = z.object({
  course: z.string(),
  teacher: userInfo,
  role: courseRole.exclude(['teacher']),
  email: z.string().nullable(),
  domains: z.array(z.string()),
  approval: z.boolean(),
  until: epochSeconds.nullable(),
  newAccounts: z.boolean(),
  fault: z.enum(['join_code_expired', 'join_code_full', 'course_closed']).nullable(),
})
export type JoinOffer = z.infer<typeof joinOffer>

/**
 * POST /join/account: makes an account, joins and signs in. The account works in this course at once. Its owner confirms the e-mail within
 * `JOIN_LIMITS.confirmDays`; afterwards the account waits until they do. Until then the e-mail counts for nothing.
 */
export const joinAccount = z.object({
  code: typedCode,
  username,
  email,
  password: newPassword,
  displayedName: displayedName.optional(),
  sharedComputer: z.boolean().default(false),
})
export type JoinAccount = z.infer<typeof joinAccount>

/** Answer of POST /join and POST /join/account. `waiting`: staff have to approve. */
export const joined = z.object({ course: z.string(), state: z.enum(['joined', 'waiting']) })
export type Joined = z.infer<typeof joined>

/** `data` of the 403 `join_domain`. */
export const allowedDomains = z.object({ domains: z.array(z.string()) })
