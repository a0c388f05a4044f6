/** Reads notices, by what each person may read now. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { COUNT_LIMITS } from '#contract/limits'
import { NOTICE_KINDS, type Notice, type NoticeKind } from '#contract/notices'
import { standingsThatCan, type Standing } from '#contract/roles'
import { rawQuery, type Db } from '../../db/client.ts'
import { deliveryOf, isNotMuted } from '../../db/notices.ts'
import {
  announcements,
  courses,
  gradebookColumns,
  homeworkDates,
  homeworkProblems,
  homeworks,
  joinRequests,
  memberships,
  notices,
  noticeSettings,
  problems,
  questions,
  submissions,
  users,
} from '../../db/schema.ts'
import { columnTitle, isMarkShown } from '../../db/shown-marks.ts'
import { ownStandingOf, standingCan, teaches } from '../../db/standing.ts'
import { isReadable } from '../../db/waiting-questions.ts'
import { CLAIMED_SUBMISSION_SECONDS } from '../submissions/target-queries.ts'

/** Each kind's usual delivery and the standings with its right, for SQL. */
const KINDS = JSON.stringify(
  Object.fromEntries(
    Object.entries(NOTICE_KINDS).map(([kind, { right, usual }]) => [
      kind,
      { usual, standings: Object.fromEntries(standingsThatCan(right).map((each) => [each, 1])) },
    ]),
  ),
)

/** Selects the courses of people and what they are there. @param people selects ids */
export function selectOwn(people: SQL): SQL {
  const columns = sql`${users.id} as person, ${courses.id} as course_id, ${courses.name} as course`
  const isMeant = sql`${users.id} in (${people}) and ${courses.deletedAt} is null`
  return sql`select ${columns}, ${ownStandingOf(users)} as standing, ${memberships.joinedAt} as since from ${users}
    cross join ${memberships} on ${memberships.userId} = ${users.id}
    cross join ${courses} on ${courses.id} = ${memberships.courseId} where ${isMeant}
    union all select ${columns}, 'teacher', 0 from ${users} cross join ${courses} on ${teaches(users)} where ${isMeant}`
}

/** Which notices are read. */
interface Wanted {
  /** Selects the ids of the people for whom. */
  people: SQL
  /** Where they are shown: those that are off are in no place, and those that are in the app only are in no mail. */
  place: 'app' | 'mail'
  /** Those after this id; may name the columns of the person's `noticeSettings`. */
  after: SQL
  /** Those before this id; undefined: all. */
  before?: number | undefined
  /** Only the newest ones, so many; undefined: all. */
  most?: number | undefined
  /** Epoch seconds. */
  now: number
}

/** The person, the standing and the notice of the present row of `candidate`. */
const person = sql`candidate.person`
const standing = sql<Standing>`candidate.standing`
const [kind, subjectId, at] = [sql`candidate.kind`, sql`candidate.subject_id`, sql`candidate.at`]

const isOwnHomework = sql`${homeworkDates.homeworkId} = ${subjectId} and ${homeworkDates.userId} = ${person} and not ${homeworkDates.excused}`

/** The condition that a column is the subject; its id is a number. */
const isSubject = sql`${gradebookColumns.id} = cast(${subjectId} as integer)`

/** The condition that the person has handed in to the homework of `isOwnHomework` since it opened for them. */
// The id of a two-step submission is up to ten minutes older than its code.
const hasHandedIn = sql`exists (select 1 from ${homeworkProblems}
  cross join ${submissions} on ${submissions.problemId} = ${homeworkProblems.problemId} and ${submissions.userId} = ${person}
  where ${homeworkProblems.homeworkId} = ${subjectId} and ${submissions.acceptedAt} >= ${homeworkDates.opens}
    and ${submissions.id} >= printf('%012x', max(0, ${homeworkDates.opens} - ${sql.raw(String(CLAIMED_SUBMISSION_SECONDS))}) * 1000))`

const ABOUT_QUESTIONS = [
  'answer',
  'request_answered',
  'regrade_answered',
  'question',
  'request',
  'regrade',
] as const
const ABOUT_MARKS = ['marks_shown', 'mark_changed'] as const
const isAboutQuestion = sql`${kind} in ${ABOUT_QUESTIONS}`

/** The thing that a notice is about, for those who read it: courses have names. @param of the kind and the subject */
export function shownSubject(of: { kind: SQLWrapper; subjectId: SQLWrapper }): SQL<string | null> {
  return sql`iif(${of.kind} = 'nobody_judges', null, ${of.subjectId})`
}

/** The condition that what a notice is about is still there, and that the person may read it. */
function isThere(now: number): SQL {
  return sql`case
    when ${kind} = 'announcement' then exists (select 1 from ${announcements}
      where ${announcements.id} = ${subjectId} and ${announcements.deletedAt} is null)
    when ${kind} = 'own_dates' then exists (select 1 from ${homeworks} where ${homeworks.id} = ${subjectId})
    when ${kind} = 'homework_opens' then exists (select 1 from ${homeworkDates}
      where ${isOwnHomework} and ${homeworkDates.opens} = ${at} and ${at} <= ${now})
    when ${kind} = 'due_tomorrow' then exists (select 1 from ${homeworkDates}
      where ${isOwnHomework} and ${homeworkDates.due} = ${at} and ${at} > ${now} and ${homeworkDates.opens} <= ${now} and not ${hasHandedIn})
    when ${kind} = 'join_request' then exists (select 1 from ${joinRequests}
      where ${joinRequests.courseId} = candidate.course_id and ${joinRequests.state} = 'waiting')
    when ${kind} in ${ABOUT_MARKS} then exists (select 1 from ${gradebookColumns}
      where ${isSubject} and ${isMarkShown(person, now)})
    when ${isAboutQuestion} then exists (select 1 from ${questions}
      where ${questions.id} = ${subjectId} and ${isReadable(person, standingCan(standing, 'course.manage'))})
    else true end`
}

/** The title of what a notice is about. */
const title = sql`coalesce(case
  when ${kind} = 'announcement' then (select ${announcements.title} from ${announcements} where ${announcements.id} = ${subjectId})
  when ${kind} = 'judge_error' then (select ${problems.name} from ${submissions}
    join ${problems} on ${problems.id} = ${submissions.problemId} where ${submissions.id} = ${subjectId})
  when ${kind} in ${ABOUT_MARKS} then (select ${columnTitle} from ${gradebookColumns} where ${isSubject})
  when ${isAboutQuestion} then (select coalesce(${problems.name}, ${homeworks.name}, ${columnTitle}) from ${questions}
    left join ${problems} on ${problems.id} = ${questions.problemId}
    left join ${homeworks} on ${homeworks.id} = ${questions.homeworkId}
    left join ${gradebookColumns} on ${gradebookColumns.id} = ${questions.columnId} where ${questions.id} = ${subjectId})
  else (select ${homeworks.name} from ${homeworks} where ${homeworks.id} = ${subjectId}) end, '')`

/** A notice, and whom it is for. */
export type ReadableNotice = Omit<Notice, 'kind' | 'isNew'> & {
  userId: number
  kind: NoticeKind
  isNew: 0 | 1
}

/**
 * Selects (`ReadableNotice`) the notices that people may read now, in no order. Of what somebody did they hear nothing themselves; of a course they
 * hear only what came after they joined.
 */
export function readableNotices({ people, place, after, before, most, now }: Wanted): SQL {
  const isBetween = sql`${notices.id} > ${after} and ${before === undefined ? sql`true` : sql`${notices.id} < ${before}`}`
  const newest = most === undefined ? sql`` : sql`order by id desc limit ${most}`
  const settings = sql`left join ${noticeSettings} on ${noticeSettings.userId} =`
  const columns = sql`own.*, ${noticeSettings.seenId} as seen_id, ${notices.id} as id, ${notices.kind} as kind, ${notices.subjectId} as subject_id,
    ${notices.at} as at, ${notices.createdAt} as created_at`
  const delivery = deliveryOf(
    sql`${notices.kind}`,
    sql`json_extract(${KINDS}, '$.' || ${notices.kind} || '.usual')`,
  )
  const isMeant = sql`${isBetween} and ${isNotMuted(sql`own.course_id`)} and ${notices.actorId} is not own.person
    and json_extract(${KINDS}, '$.' || ${notices.kind} || '.standings.' || own.standing)
    and ${place === 'app' ? sql`${delivery} <> 'off'` : sql`${delivery} in ('daily', 'now')`}`
  return sql`with own as materialized (${selectOwn(people)}),
    candidate as (
      select ${columns} from own ${settings} own.person
      cross join ${notices} on ${notices.userId} is null and ${notices.courseId} = own.course_id
      where ${isMeant} and ${notices.createdAt} >= own.since
      union all
      select ${columns} from ${users} ${settings} ${users.id}
      cross join ${notices} on ${notices.userId} is not null and ${notices.userId} = ${users.id}
      join own on own.person = ${users.id} and own.course_id = ${notices.courseId}
      where ${users.id} in (${people}) and ${isMeant})
    select ${person} as "userId", id, ${kind} as kind, course, ${title} as title, ${shownSubject({ kind, subjectId })} as "subjectId", created_at as "createTime",
      id > coalesce(seen_id, 0) as "isNew" from
      (select * from candidate where ${isThere(now)} ${newest}) candidate`
}

/** A page of a person's notices, newest first. @param before the last id of the page before */
export async function listNotices(
  db: Db,
  userId: number,
  before: number | undefined,
  now: number,
): Promise<{ items: Notice[] }> {
  const wanted = readableNotices({
    people: sql`${userId}`,
    place: 'app',
    after: sql`0`,
    before,
    most: COUNT_LIMITS.notices,
    now,
  })
  const rows = await rawQuery<ReadableNotice>(db, sql`${wanted} order by id desc`)
  return { items: rows.map(({ userId: _u, isNew, ...row }) => ({ ...row, isNew: isNew === 1 })) }
}

/** The number of notices that a person has not seen, up to a bound. */
export async function countNew(db: Db, userId: number, now: number): Promise<{ count: number }> {
  const wanted = readableNotices({
    people: sql`${userId}`,
    place: 'app',
    after: sql`coalesce(${noticeSettings.seenId}, 0)`,
    now,
  })
  const [row] = await rawQuery<{ count: number }>(
    db,
    sql`select count(*) as count from (${wanted} limit ${COUNT_LIMITS.newNotices})`,
  )
  return { count: row?.count ?? 0 }
}
