/** The tests' receiver of a course's webhook, which checks signatures as Standard Webhooks says. */
import { createHmac } from 'node:crypto'
import { webhookEvent, type WebhookEvent } from '#contract/course-webhooks'
import { runSql } from './sql.ts'
import { createCourse } from './world.ts'

/** What the receiver got: the event, and the id that stays when it is sent again. */
interface ReceivedEvent {
  id: string
  event: WebhookEvent
}

/** Checks a call as a receiver does. @throws where the signature does not fit */
function verify(headers: Record<string, string>, body: string, secret: string): ReceivedEvent {
  const { 'webhook-id': id = '', 'webhook-timestamp': sentAt = '' } = headers
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest('base64')
  if (headers['webhook-signature'] !== `v1,${signature}`) throw new Error('wrong signature')
  if (Math.abs(Date.now() / 1000 - Number(sentAt)) > 300) throw new Error('wrong time')
  return { id, event: webhookEvent.parse(JSON.parse(body)) }
}

/** A course with a webhook. @param status of the answers; `held`: no answer before `received` is called */
export async function createHooked(status: number | 'held' = 200) {
  const world = await createCourse()
  const name = crypto.randomUUID()
  const urlFor = (answer: number | 'held') => `https://hooks.test/${answer}/${name}`
  const path = `/course/${world.course}/webhook`
  const { data } = await world.teacher.put(path, { url: 'https://hooks.example.org/in' })
  const secret: string = data.secret
  /** Lets the receiver answer with another status from now on; the contract refuses names that only tests have. */
  const answerWith = (answer: number | 'held') =>
    runSql`update course_webhooks set url = ${urlFor(answer)} where secret = ${secret}`
  await answerWith(status)
  const receivedAt = async (url: string): Promise<ReceivedEvent[]> => {
    const bodies = await (await fetch(url)).json<string[]>()
    const headers = await (await fetch(`${url}?headers`)).json<Record<string, string>[]>()
    return bodies.map((body, index) => verify(headers[index] ?? {}, body, secret))
  }
  /** What arrived and was answered with a status. */
  const received = (answer: number | 'held' = status) => receivedAt(urlFor(answer))
  /** What arrived where redirects lead. */
  const elsewhere = () => receivedAt(`https://hooks.test/200/elsewhere-${name}`)
  const state = async () => (await world.teacher.get(path)).data
  return { ...world, path, secret, answerWith, received, elsewhere, state }
}

/** Writes notices of a course, as an event does. */
export async function addNotices(course: string, ...rows: [kind: string, subjectId: string][]) {
  for (const [kind, subjectId] of rows)
    await runSql`insert into notices (kind, course_id, subject_id, created_at)
      select ${kind}, id, ${subjectId}, 1700000000 from courses where name = ${course}`
}
