/** Sends one event to the webhook of a course, signed as Standard Webhooks says. */
import { Buffer } from 'node:buffer'
import { createHmac, randomBytes } from 'node:crypto'
import type { WebhookEvent } from '#contract/course-webhooks'
import type { Env } from '../../env.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { callWebhook } from '../../lib/webhook.ts'

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

/** The path of the page, below the course's, that shows what an event is about. */
function pageOf({ type, subjectId }: CourseEvent): string {
  switch (type) {
    case 'question':
    case 'request':
      return `question/${subjectId}`
    case 'judge_error':
      return `submission/${subjectId}`
    case 'nobody_judges':
      return 'submissions'
    case 'test':
      return 'settings'
  }
}

/** Sends an event. @returns the fault, as `callWebhook` tells it; null: the webhook took the event */
export async function sendEvent(
  { WEB_ORIGIN: origin = '' }: Env,
  { url, secret }: { url: string; secret: string },
  event: CourseEvent,
): Promise<string | null> {
  const { id, type, course, subjectId, at } = event
  const page = `${origin}/course/${encodeURIComponent(course)}/${pageOf(event)}`
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
