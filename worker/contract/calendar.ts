/** The calendar feed: one's due times for programs that subscribe to calendars (RFC 5545). */
import * as z from 'zod'
import { epochSeconds } from '#contract/fields'

/** Query of GET /calendar. The token stands in the query, because Cloudflare's logs can leave out queries. */
export const calendarParams = z.object({ token: z.string().max(64) })

/** GET /calendar-link: when the link was made; null without a link. */
export const calendarLink = z.object({ createdAt: epochSeconds.nullable() })

/** POST /calendar-link: the new secret address, which is shown this once; the earlier one ends. */
export const newCalendarLink = z.object({ url: z.url() })
