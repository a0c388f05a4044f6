/** What an installation still needs, for the admin's first-run page. */
import * as z from 'zod'
import { epochSeconds } from '#contract/fields'
import { settingFault } from '#contract/installation/settings'

/**
 * - `database`: the newest migration is applied
 * - `address`: `WEB_ORIGIN` is the address of the page that asks
 * - `cron`: the sweeper ran in the last five minutes
 * - `host`: a judge host is alive
 * - `course`, `teacher`: there is one
 * - `mail`: a test mail went out
 * - `alarms`: the last alarm, or test of one, was taken by each way that is set
 * - `hashing`: one request could hash several passwords. Cloudflare ends a request that needs more CPU time than the plan
 *   gives, and the Worker never hears of it: only a trial that came to its end proves anything
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
 * `open`: to be done; `failed`: it was there or was tried, and does not work now. `at`: when it last worked or was tried;
 * null: never, or not known. `lacks`: settings that are missing or wrong. `waiting`: mails of batch sign-ups that the mail
 * service or `MAIL_DAILY_LIMIT` makes wait, and when the first of them goes out.
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
