/** The webhook of a course: an address of the staff's choice that hears what waits for staff. */
import * as z from 'zod'
import { epochSeconds } from '#contract/fields'
import { TEXT_LIMITS } from '#contract/limits'
import { WEBHOOK_KINDS } from '#contract/notices'

/** Names of the own machine or network: RFC 6761, RFC 6762, RFC 8375, and what ICANN reserves. */
const PRIVATE_NAMES =
  /(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|intranet|test|invalid|onion)\.?$/

/** A name with a dot, which is no IP address: its last part begins with a letter. */
const PUBLIC_NAME = /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*\.?$/

/**
 * The address of a webhook: https at its usual port, a public name, without a username and password. The platform refuses names that lead to
 * private addresses.
 */
const webhookUrl = z
  .url({ protocol: /^https$/, hostname: PUBLIC_NAME, normalize: true })
  .max(TEXT_LIMITS.webhookUrl)
  .refine((url) => {
    const host = /^https:\/\/([^/?#:@]+)(?:[/?#]|$)/.exec(url)?.[1]
    return host !== undefined && !PRIVATE_NAMES.test(host)
  })

/** PUT /course/{name}/webhook: sets the address, and makes a new secret. */
export const newWebhook = z.object({ url: z.string().trim().pipe(webhookUrl) })

/**
 * GET /course/{name}/webhook; null: there is none. `failingSince`: since when the address has taken nothing, `fault`: why, as in a test. `offAt`: it
 * failed for a day, so nothing is sent any more until somebody sets it again.
 */
export const courseWebhook = z
  .object({
    url: z.string(),
    createTime: epochSeconds,
    failingSince: epochSeconds.nullable(),
    fault: z.string().nullable(),
    offAt: epochSeconds.nullable(),
  })
  .nullable()
export type CourseWebhook = z.infer<typeof courseWebhook>

/** Answer of PUT. `secret` signs each call, as Standard Webhooks says (`whsec_` and base64); it is shown this once. */
export const webhookSet = z.object({ secret: z.string() })

/**
 * Answer of POST /course/{name}/webhook/trial. `fault`: the status of the answer; `silent`: there was none within 8 s; null: the address took the
 * test (2xx).
 */
export const webhookTrial = z.object({ fault: z.string().nullable() })

/**
 * The body of each call, signed by the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (standardwebhooks.com). It names no people
 * and holds no texts; `url` is the page that shows them.
 */
export const webhookEvent = z.object({
  type: z.enum([...WEBHOOK_KINDS, 'test']),
  timestamp: z.iso.datetime(),
  data: z.object({ course: z.string(), subjectId: z.string().nullable(), url: z.string() }),
})
export type WebhookEvent = z.infer<typeof webhookEvent>
