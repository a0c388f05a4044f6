/** How people hear of notices, and up to where they have seen them. */
import { eq, sql } from 'drizzle-orm'
import { courseNameKey } from '#contract/names'
import {
  NOTICE_KINDS,
  noticeKind,
  type NoticeSettings,
  type OwnNoticeSettings,
} from '#contract/notices'
import { can, type Standing } from '#contract/roles'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { courses, notices, noticeSettings } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { insertSelect, onConflictUpdate } from '../../db/statements.ts'
import { selectOwn } from './queries.ts'

const lastId = sql`coalesce((select max(${notices.id}) from ${notices}), 0)`

/** Notes that a person has seen everything up to a notice; what was seen stays seen. */
export async function markSeen(db: Db, userId: number, noticeId: number): Promise<void> {
  const key = noticeSettings.userId
  await insertSelect(
    db,
    noticeSettings,
    // Notices to come are not seen yet.
    { userId, seenId: sql`min(${noticeId}, ${lastId})` },
    sql`where true ${onConflictUpdate(noticeSettings, [key], { seenId: sql`max(seen_id, excluded.seen_id)` })}`,
  )
}

/** How a person hears of the kinds that they may get. @param sendsMail whether the installation does */
export async function getNoticeSettings(
  db: Db,
  user: SessionUser,
  sendsMail: boolean,
): Promise<OwnNoticeSettings> {
  const [own, [row]] = await db.batch([
    rawQuery<{ id: number; course: string; standing: Standing }>(
      db,
      sql`select course_id as id, course, standing from (${selectOwn(sql`${user.id}`)}) order by course`,
    ),
    db.select().from(noticeSettings).where(eq(noticeSettings.userId, user.id)),
  ])
  const kinds = noticeKind.options.filter((kind) =>
    own.some(({ standing }) => can(standing, NOTICE_KINDS[kind].right)),
  )
  const muted = own.filter(({ id }) => row?.mutedCourses.includes(id))
  return {
    kinds: Object.fromEntries(
      kinds.map((kind) => [kind, row?.deliveries[kind] ?? NOTICE_KINDS[kind].usual]),
    ),
    mutedCourses: muted.map(({ course }) => course),
    mails: !row?.mailsOff,
    courses: own.map(({ course }) => course),
    address: sendsMail && user.emailConfirmedAt !== null ? user.email : null,
  }
}

/** Chooses how a person hears of notices. Who lets mails come again gets those with what is new from now on. */
export async function putNoticeSettings(
  db: Db,
  { id: userId }: SessionUser,
  { kinds, mutedCourses, mails }: NoticeSettings,
): Promise<void> {
  const keys = JSON.stringify(mutedCourses.map(courseNameKey))
  const named = sql`select ${courses.id} from json_each(${keys}) w join ${courses} on ${courses.nameKey} = w.value
    where ${courses.id} in (select course_id from (${selectOwn(sql`${userId}`)}))`
  const chosen = JSON.stringify(kinds)
  await db.batch([
    demand(
      db,
      'course_not_found',
      sql`(select count(*) from (${named})) = json_array_length(${keys})`,
    ),
    insertSelect(
      db,
      noticeSettings,
      {
        userId,
        deliveries: sql`${chosen}`,
        mutedCourses: sql`(select json_group_array(id) from (${named}))`,
        mailsOff: !mails,
      },
      sql`where true ${onConflictUpdate(noticeSettings, [noticeSettings.userId], {
        deliveries: sql`json_patch(deliveries, excluded.deliveries)`,
        mutedCourses: sql`excluded.muted_courses`,
        mailsOff: sql`excluded.mails_off`,
        mailedId: sql`iif(mails_off and not excluded.mails_off, ${lastId}, mailed_id)`,
      })}`,
    ),
  ])
}
