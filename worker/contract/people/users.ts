/** Profiles, and people as admins see them. */
import * as z from 'zod'
import {
  courseName,
  email,
  epochSeconds,
  newPassword,
  username,
  visibleName,
} from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { roleCode } from '#contract/roles'

/** GET /profile/{username}. Only the person and admins see the e-mail. */
export const profile = z.object({
  username: z.string(),
  displayedName: z.string(),
  bio: z.string(),
  role: roleCode,
  email: z.string().optional(),
})
export type Profile = z.infer<typeof profile>

/** A displayed name: not blank, nothing hidden, without space around it. */
export const displayedName = z.string().trim().pipe(visibleName(TEXT_LIMITS.displayedName))

/** POST /profile: changes the caller's own profile. Other fields of the body are ignored. */
export const profileChange = z.object({
  displayedName: displayedName.optional(),
  bio: z.string().max(TEXT_LIMITS.bio).optional(),
})
export type ProfileChange = z.infer<typeof profileChange>

/** Query of GET /user. `search`: a part of a username, an e-mail or a displayed name. */
export const userListParams = z.object({
  search: z.string().trim().max(TEXT_LIMITS.search).default(''),
  role: z.coerce.number<string>().pipe(roleCode).optional(),
  course: courseName.optional(),
  cursor: z.string().optional(),
  limit: z.coerce
    .number<string>()
    .pipe(z.int().min(1).max(COUNT_LIMITS.listItems))
    .default(COUNT_LIMITS.listItemsDefault),
})
export type UserListParams = z.infer<typeof userListParams>

/**
 * A person as admins see them. `emailConfirmed`: its owner or an admin has confirmed the e-mail.
 * `createTime` in epoch seconds. `etag`: for the If-Match of PATCH /user/{username}.
 */
export const userItem = z.object({
  username: z.string(),
  displayedName: z.string(),
  role: roleCode,
  email: z.string(),
  emailConfirmed: z.boolean(),
  active: z.boolean(),
  createTime: epochSeconds,
  etag: z.string(),
})
export type UserItem = z.infer<typeof userItem>

/**
 * Answer of POST /user and PATCH /user/{username}. `activationLink`: the path, with its secret, that activates the
 * account, where no mail with a link can be sent. The admin who hands this link over thereby vouches for the e-mail.
 */
export const savedUser = userItem.extend({ activationLink: z.string().optional() })
export type SavedUser = z.infer<typeof savedUser>

/** Answer of GET /user. */
export const userList = z.object({ items: z.array(userItem), next: z.string().nullable() })
export type UserList = z.infer<typeof userList>

/** POST /user. Without a password, or with `active: false`, the account waits for its mailed link. */
export const newUser = z.object({
  username,
  email,
  displayedName: displayedName.optional(),
  role: roleCode.default(2),
  password: newPassword.optional(),
  active: z.boolean().default(true),
})
export type NewUser = z.infer<typeof newUser>

/**
 * PATCH /user/{username}. A new password, `active: false` or a new role ends the user's sessions and tokens. `emailConfirmed: true`
 * vouches for the e-mail. If it was not confirmed before, the old password ends, too, because the maker of the account may know it.
 * Unless the call sets a new password, a link to choose one is mailed.
 */
export const userChange = z.object({
  password: newPassword.optional(),
  displayedName: displayedName.optional(),
  email: email.optional(),
  role: roleCode.optional(),
  active: z.boolean().optional(),
  emailConfirmed: z.literal(true).optional(),
})
export type UserChange = z.infer<typeof userChange>

/** GET /user/summary. */
export const userSummary = z.object({
  userCount: z.int(),
  breakdown: z.array(z.object({ role: roleCode, count: z.int() })),
})
export type UserSummary = z.infer<typeof userSummary>
