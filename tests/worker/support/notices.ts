/** Notices as people get them, and notices that no call makes. */
import { env } from 'cloudflare:workers'
import type { Notice, NoticeKind } from '#contract/notices'
import { openDb } from '../../../worker/db/client.ts'
import { insertNotice } from '../../../worker/db/notices.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { allRows, firstValue } from './sql.ts'
import type { Person } from './world.ts'

/** A person's notices, newest first. */
export async function noticesOf(person: Person): Promise<Notice[]> {
  const { data, status, message } = await person.get('/notices')
  if (status !== 200) throw new Error(message)
  return data.items
}

/** The kinds of a person's notices, newest first. */
export async function kindsOf(person: Person): Promise<NoticeKind[]> {
  return (await noticesOf(person)).map(({ kind }) => kind)
}

/** The number on a person's bell. */
export async function newOf(person: Person): Promise<number> {
  return (await person.get('/notices/count')).data.count
}

/** When a person is to get a mail; no time: at no time. */
export async function mailTimes({ id }: Person): Promise<number[]> {
  const rows = await allRows<{
    due: number
  }>`select due_at as due from notice_mails where user_id = ${id} order by due_at`
  return rows.map(({ due }) => due)
}

/** The id of a course. */
export async function courseIdOf(course: string): Promise<number> {
  return Number(await firstValue`select id from courses where name = ${course}`)
}

/** Writes a notice for everybody with the right, as the sweeper does. */
export async function tell(
  course: string,
  kind: NoticeKind,
  subjectId: string | null = null,
  changes: Partial<Parameters<typeof insertNotice>[1]> = {},
): Promise<void> {
  const db = openDb(env.DB)
  await db.batch(
    insertNotice(db, {
      kind,
      courseId: await courseIdOf(course),
      timeZone: 'Asia/Taipei',
      subjectId,
      actorId: null,
      now: nowSeconds(),
      ...changes,
    }),
  )
}
