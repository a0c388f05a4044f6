/** Writing notices, in the batch of what they tell of, and marking who is to get a mail. */
import { sql, type SQL } from 'drizzle-orm'
import { NOTICE_KINDS, type NoticeKind } from '#contract/notices'
import type { Capability } from '#contract/roles'
import { instantOf, wallSecondsAt } from '#contract/wall-time'
import { rawQuery, type Db } from './client.ts'
import { noticeMails, notices, noticeSettings, users } from './schema.ts'
import { selectPeople } from './standing.ts'
import { columnName, insertSelect } from './statements.ts'

/** When the mails with the day's news go out, as the clock of the course's time zone shows it. */
const DIGEST_HOUR = 7

/** The next time that mails with the day's news go out. @param now epoch seconds */
export function nextDigestAt(now: number, timeZone: string): number {
  const wall = wallSecondsAt(now, timeZone)
  const today = wall - (wall % 86_400) + DIGEST_HOUR * 3600
  const at = instantOf(today, timeZone)
  return at > now ? at : instantOf(today + 86_400, timeZone)
}

/** A notice that is to be written. */
interface NewNotice {
  kind: NoticeKind
  courseId: number
  /** The time zone of the course. */
  timeZone: string
  /** The announcement, homework, question, submission or column. An expression may name the person who gets it as `people.id`. */
  subjectId: string | SQL | null
  /** The person who caused it and hears nothing of it; null: nobody. */
  actorId: number | SQL | null
  /** Epoch seconds. */
  now: number
  /** For whom: a person's id, or a select of ids of whom each gets a row. Absent: one row for everybody with the right. */
  userId?: number | SQL | undefined
  /** Selects the ids of those who are to get a mail, where not everybody who gets the notice is. */
  mailed?: SQL | undefined
  /** What people's standing must allow, where that is another right than the kind's. */
  right?: Capability
  /** For kinds that the sweeper makes: what it is about happens at this time. The notice is then written once. */
  at?: number
}

/** The condition that the person of a row of `notice_settings` gets mails; also where there is no row. */
const MAILED = sql`not coalesce(${noticeSettings.mailsOff}, 0)`

/**
 * How the person of a row of `notice_settings` hears of a kind; also where there is no row (`left join`).
 * @param kind a column, or a name
 * @param usual how people hear of it who have not chosen
 */
export function deliveryOf(kind: SQL, usual: SQL): SQL {
  return sql`coalesce(json_extract(${noticeSettings.deliveries}, '$.' || ${kind}), ${usual})`
}

/** The condition that the person of a row of `notice_settings` wants to hear of a course; also where there is no row. */
export function isNotMuted(courseId: SQL): SQL {
  return sql`not exists (select 1 from json_each(coalesce(${noticeSettings.mutedCourses}, '[]')) muted where muted.value = ${courseId})`
}

/**
 * The statements that mark the people who are to get a mail with a notice, and write it; for the batch of what it tells of. The marks come
 * first, so that both see the same state.
 * @param when the condition under which it is written; it must not be about notices
 */
export function insertNotice(db: Db, notice: NewNotice, when: SQL = sql`true`) {
  const { kind, courseId, timeZone, subjectId, actorId, now, userId, mailed, at = null } = notice
  const { right, usual } = NOTICE_KINDS[kind]
  const isMade = sql`exists (select 1 from ${notices} where ${notices.at} is not null
    and ${notices.kind} = ${kind} and ${notices.subjectId} = ${subjectId} and ${notices.at} = ${at})`
  const isDue = at === null ? when : sql`${when} and not ${isMade}`
  const among = typeof userId === 'number' ? sql`${userId}` : userId
  const people = sql`from (${selectPeople(courseId, notice.right ?? right)}) people`
  const isMeant = sql`people.id is not ${actorId} and ${among ? sql`people.id in (${among})` : sql`true`} and ${isDue}`
  const delivery = deliveryOf(sql`${kind}`, sql`${usual}`)
  const { dueAt, userId: receiver } = noticeMails
  const values = { kind, courseId, subjectId, at, actorId, createdAt: now }
  return [
    rawQuery<never>(
      db,
      sql`insert or ignore into ${noticeMails} (${columnName(dueAt)}, ${columnName(receiver)})
        select iif(${delivery} = 'now', ${now}, ${nextDigestAt(now, timeZone)}), people.id ${people}
        join ${users} on ${users.id} = people.id left join ${noticeSettings} on ${noticeSettings.userId} = people.id
        where ${isMeant} and ${users.active} and ${users.emailConfirmedAt} is not null and ${MAILED} and ${isNotMuted(sql`${courseId}`)}
          and ${delivery} in ('now', 'daily') and ${mailed ? sql`people.id in (${mailed})` : sql`true`}`,
    ),
    among === undefined
      ? insertSelect(db, notices, values, sql`where ${isDue}`)
      : insertSelect(
          db,
          notices,
          { ...values, userId: sql`people.id` },
          sql`${people} where ${isMeant}`,
        ),
  ] as const
}
