/** The system's announcements, as long as they may be, polled by a guest beside somebody who looks at their courses. */
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { announcementItem } from '#contract/announcements'
import { okEnvelope } from '#contract/errors'
import * as z from 'zod'
import type { Installation } from '../installation.ts'
import type { Report } from '../report.ts'
import { send, type Call } from '../send.ts'
import type { BenchStack } from '../stack.ts'
import { reportBeside } from './beside.ts'

/** Most bytes of the longest list: an excerpt of each, in the longest characters, and what else an item says. */
const MOST_BYTES = 512 * 1024

const answer = okEnvelope(z.array(announcementItem))

/** Measures the list's size, and reading one's courses beside a guest who asks for all of it. */
export async function announcements(
  stack: BenchStack,
  { student }: Installation,
  report: Report,
): Promise<void> {
  await stack.db
    .prepare(
      `insert into announcements (id, course_id, title, markdown, pinned, creator_id, updater_id, created_at, updated_at)
       select printf('e%023x', n.value), c.id, 'Long', ?, 0, 2, 2, 0, 0 from courses c, json_each(?) n where c.name = 'Public'`,
    )
    .bind(
      'x'.repeat(TEXT_LIMITS.announcementMarkdown),
      JSON.stringify([...Array(COUNT_LIMITS.announcements).keys()]),
    )
    .run()
  const list: Call = { path: `/api/ann?limit=${COUNT_LIMITS.listItems}`, cookie: '' }
  const text = await (await send(stack, list)).text()
  const items = answer.parse(JSON.parse(text)).data.length
  if (items !== COUNT_LIMITS.announcements) throw new Error(`${items} announcements`)
  report.bound('GET /ann, 200 of 100 KB: bytes', Buffer.byteLength(text), MOST_BYTES)
  await reportBeside(stack, report, {
    what: 'GET /course beside a guest at GET /ann',
    honest: () => send(stack, { path: '/api/course', cookie: student }),
    burst: () => send(stack, list),
  })
}
