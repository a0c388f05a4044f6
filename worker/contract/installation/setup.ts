/** What an installation still needs, for the admin's first-run page. */
import * as z from 'zod'
import { epochSeconds } from '#contract/fields'
import { settingFault } from '#contract/installation/settings'

/**
 * - `database`: the newest migration is applied
 * - `address`: `WEB_ORIGIN` is the address of the page that asks
 * - `cron`: the sweeper ran in the last five minutes
 * - `host`: a judge host is alive
 * - `course`, `teacher`: at least one exists
 * - `mail`: a test mail went out
 * - `alarms`: each configured way took the last alarm or test
 * - `hashing`: one request could hash several passwords. Cloudflare ends a request that needs more CPU time than the plan gives,
 *   and the Worker never hears of it. Only a trial that reached its end proves it
 * - `registration`: judge hosts can register by themselves
 */
export const SETUP_ITEMS = {
  database: { essential: true },
  address: { essential: true },
  cron: { essential: true },
  host: { essential: true },
  course: { essential: true },
  teacher: { essential: true },
  mail: { essential: false },
  alarms: { essential: false },
  hashing: { essential: false },
  registration: { essential: false },
} as const

export type SetupItemName = keyof typeof SETUP_ITEMS

/** `page`: the origin of the page that asks. */
export const setupParams = z.object({ page: z.string().max(256) })

/**
 * `open`: still to do; `failed`: it worked or was tried before, and does not work now. `at`: when the item last worked or was
 * tried; null when never or unknown. `lacks`: settings that are missing or wrong. `waiting`: how many mails with links or
 * notices wait for the mail service or `MAIL_DAILY_LIMIT`, and when the first goes out.
 */
const setupItem = z.object({
  item: z.enum(Object.keys(SETUP_ITEMS) as SetupItemName[]),
  state: z.enum(['done', 'open', 'failed']),
  at: epochSeconds.nullable(),
  lacks: z.array(settingFault),
  waiting: z.object({ mails: z.int(), until: epochSeconds }).optional(),
})
export type SetupItem = z.infer<typeof setupItem>

/** Answer of GET /setup. */
export const setupItems = z.array(setupItem)

/** Answer of POST /setup/mail. `fault`: what the mail driver said when it did not take the mail. */
export const mailTrial = z.object({ to: z.string(), fault: z.string().nullable() })
export type MailTrial = z.infer<typeof mailTrial>
