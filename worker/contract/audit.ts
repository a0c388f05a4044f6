/** The audit log: who did what, when and from where. */
import * as z from 'zod'
import { epochSeconds, intBetween, username } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'

/**
 * One entry.
 * - `action` is `<thing>.<deed>`, e.g. `problem.edit` or `access.refuse`
 * - `subject` is the id of the thing or person that was acted on; `subjectName` is a person's username
 * - `actor` is null when nobody was signed in or the account is gone
 * - `ip` is empty once it has been removed (`PRIVACY.addressDays`)
 */
const auditEntry = z.object({
  id: z.int(),
  time: epochSeconds,
  actor: z.string().nullable(),
  action: z.string(),
  subject: z.string(),
  subjectName: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  ip: z.string(),
})
export type AuditEntryItem = z.infer<typeof auditEntry>

/** Query of GET /audit: by person, by exact action, or both. */
export const auditParams = z.object({
  actor: username.optional(),
  action: z
    .string()
    .regex(/^[a-z_.]{1,64}$/)
    .optional(),
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number<string>().pipe(intBetween(1, COUNT_LIMITS.listItems)).optional(),
})

/** Answer of GET /audit, newest first. */
export const auditPage = z.object({ items: z.array(auditEntry), next: z.string().nullable() })
