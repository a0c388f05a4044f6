/** SQL for the notices that no call makes: each is found from its time on, until it is stored. */
import { sql, type SQL } from 'drizzle-orm'
import type { NoticeKind } from '#contract/notices'
import { STATUS } from '#contract/verdicts'
import { rawQuery, type Db } from '../../db/client.ts'
import { SWEEP } from '../../db/retention.ts'
import {
  alarms,
  courses,
  homeworkDates,
  homeworkOverrides,
  homeworks,
  judgements,
  memberships,
  notices,
  PRIORITY,
  submissions,
} from '../../db/schema.ts'
import { membershipCan } from '../../db/standing.ts'
import { inlineNumber } from '../../db/statements.ts'

/** How long after its time a notice is still made, so that a sweeper that stood still catches up. Seconds. */
const LATE_SECONDS = 3_600
/** How long before it is due a homework is announced as due, at most and at least. Seconds. */
const DUE_SECONDS = { most: 86_400, least: 3_600 } as const
/** How long a notice is kept. Seconds. */
const KEPT_SECONDS = 60 * 86_400
/** The most notices that one sweep makes. */
const MOST_AT_ONCE = 100

/** A notice that is to be made; `at` makes it once. */
export interface TimedNotice {
  kind: NoticeKind
  courseId: number
  timeZone: string
  subjectId: string
  at: number
}

/** Homeworks and overrides whose date, in an index, lies in a range. Who has this date is another question. */
function selectDated(
  kind: 'homework_opens' | 'due_tomorrow',
  date: 'opens' | 'due',
  [after, until]: [after: number, until: number],
  now: number,
): SQL {
  const own = date === 'opens' ? homeworks.startAt : homeworks.endAt
  const other = homeworkOverrides[date]
  const opens = sql`coalesce(${homeworkOverrides.opens}, ${homeworks.startAt})`
  return sql`select ${kind} as kind, ${homeworks.courseId} as course_id, ${homeworks.id} as subject_id, ${own} as at
      from ${homeworks} where ${own} > ${after} and ${own} <= ${until} and ${homeworks.startAt} <= ${now}
    union select ${kind}, ${homeworks.courseId}, ${homeworks.id}, ${other}
      from ${homeworkOverrides} cross join ${homeworks} on ${homeworks.id} = ${homeworkOverrides.homeworkId}
      where ${other} is not null and ${other} > ${after} and ${other} <= ${until} and ${opens} <= ${now}`
}

/** Submissions that ended with a Judge Error. A submission makes one notice, however often it is judged. */
function selectErrors(now: number): SQL {
  return sql`select 'judge_error', ${submissions.courseId}, ${submissions.id}, ${submissions.createdAt}
    from ${judgements} indexed by judgements_errors
    cross join ${submissions} on ${submissions.id} = ${judgements.submissionId} and ${submissions.judgementId} = ${judgements.id}
    where ${judgements.status} = ${inlineNumber(STATUS.JE)} and ${judgements.finishedAt} > ${now - LATE_SECONDS}`
}

/** Courses whose submissions wait while no host takes jobs. The alarm's beginning makes one notice of each alarm. */
function selectWaiting(): SQL {
  return sql`select 'nobody_judges', ${judgements.courseId}, cast(${judgements.courseId} as text), ${alarms.since}
    from ${alarms} cross join ${judgements} on ${judgements.finishedAt} is null
    where ${alarms.state} = 'nobody_judges' and ${alarms.overAt} is null
      and ${judgements.priority} = ${inlineNumber(PRIORITY.live)} and ${judgements.submissionId} is not null
    group by ${judgements.courseId}`
}

/** The notices that are to be made now. @param now epoch seconds */
export async function listTimed(db: Db, now: number): Promise<TimedNotice[]> {
  const { most, least } = DUE_SECONDS
  return rawQuery<TimedNotice>(
    db,
    sql`select found.kind, found.course_id as "courseId", ${courses.timeZone} as "timeZone", found.subject_id as "subjectId", found.at
      from (${selectDated('homework_opens', 'opens', [now - LATE_SECONDS, now], now)}
        union all select * from (${selectDated('due_tomorrow', 'due', [now + least, now + most], now)})
        union all select * from (${selectErrors(now)})
        union all select * from (${selectWaiting()})) found
      cross join ${courses} on ${courses.id} = found.course_id and ${courses.deletedAt} is null
      where not exists (select 1 from ${notices} where ${notices.kind} = found.kind
        and ${notices.subjectId} = found.subject_id and ${notices.at} = found.at and ${notices.at} is not null)
      limit ${MOST_AT_ONCE}`,
  )
}

/** Selects the ids of the students whose own date a notice tells. Undefined: it tells no date of a homework. */
export function concerned({ kind, courseId, subjectId, at }: TimedNotice): SQL | undefined {
  if (kind !== 'homework_opens' && kind !== 'due_tomorrow') return undefined
  const date = kind === 'homework_opens' ? homeworkDates.opens : homeworkDates.due
  return sql`select ${memberships.userId} from ${memberships}
    cross join ${homeworkDates} on ${homeworkDates.homeworkId} = ${subjectId} and ${homeworkDates.userId} = ${memberships.userId}
    where ${memberships.courseId} = ${courseId} and ${membershipCan('scoreboard.appear')}
      and ${date} = ${at} and not ${homeworkDates.excused}`
}

/** Deletes some notices that were kept for long enough. @param now epoch seconds */
export async function deleteOldNotices(db: Db, now: number): Promise<void> {
  const { id, createdAt } = notices
  const old = sql`select ${id} from ${notices} where ${createdAt} < ${now - KEPT_SECONDS} order by ${createdAt} limit ${SWEEP.rows}`
  await db.delete(notices).where(sql`${id} in (${old})`)
}
