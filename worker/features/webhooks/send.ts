/** Sends one event to the webhook of a course, signed as Standard Webhooks says. */
import { Buffer } from 'node:buffer'
import { createHmac, randomBytes } from 'node:crypto'
import type { WebhookEvent } from '#contract/course-webhooks'
import type { Env } from '../../env.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { callWebhook } from '../../lib/webhook.ts'
import { linkOf } from '../../lib/notice-links.ts'

const SECRET_PREFIX = 'whsec_'

/** An event before it is written as JSON. */
export interface CourseEvent {
  /** The `webhook-id`: the same whenever the event is sent again. */
  id: string
  type: WebhookEvent['type']
  course: string
  subjectId: string | null
  /** Epoch seconds. */
  at: number
}

/** A new secret. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64')
}

/** Sends an event. @returns the fault, as `callWebhook` tells it; null: the webhook took the event */
export async function sendEvent(
  { WEB_ORIGIN: origin = '' }: Env,
  { url, secret }: { url: string; secret: string },
  event: CourseEvent,
): Promise<string | null> {
  const { id, type, course, subjectId, at } = event
  // A test comes from the course's settings, as the notice of a webhook that failed.
  const page = linkOf(origin, { ...event, kind: type === 'test' ? 'webhook_off' : type })
  const body = JSON.stringify({
    type,
    timestamp: new Date(at * 1000).toISOString(),
    data: { course, subjectId, url: page },
  } satisfies WebhookEvent)
  const sentAt = String(nowSeconds())
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest('base64')
  return callWebhook(url, body, {
    'webhook-id': id,
    'webhook-timestamp': sentAt,
    'webhook-signature': `v1,${signature}`,
  })
}
