/** Joins the course of a code, or asks to join it. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Joined, JoinOffer } from '#contract/joining'
import type { CourseRole } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { mayJoin } from '../../db/identities.ts'
import { insertNotice } from '../../db/notices.ts'
import { toUserInfo, userInfoColumns } from '../../db/people.ts'
import {
  courses,
  joinCodes,
  joinRequests,
  memberLabels,
  memberships,
  users,
} from '../../db/schema.ts'
import { membershipCan, standingCan } from '../../db/standing.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'

/** A code that nobody has closed, with its course. */
export interface OpenCode extends Pick<
  JoinOffer,
  'course' | 'teacher' | 'role' | 'email' | 'domains' | 'approval' | 'until' | 'fault'
> {
  codeHash: string
  courseId: number
  timeZone: string
}

/** Who joins by which code. `userId`: a select, where the same batch makes the account. */
export interface Joiner extends Pick<OpenCode, 'codeHash' | 'courseId' | 'timeZone'> {
  userId: number | SQL
  ip: string
  /** Epoch seconds. */
  now: number
}

/** The tables and the condition that find a code which nobody has closed, with its course. */
function fromOpenCode(codeHash: string): SQL {
  return sql`from ${joinCodes} join ${courses} on ${courses.id} = ${joinCodes.courseId}
    where ${joinCodes.codeHash} = ${codeHash} and ${joinCodes.closedAt} is null and ${courses.deletedAt} is null`
}

/** The condition that a code has not expired. */
export function isInTime(now: number): SQL {
  return sql`(${joinCodes.until} is null or ${joinCodes.until} > ${now})`
}

/** The condition that fewer people than allowed have used a code. */
export const hasRoom = sql`(${joinCodes.most} is null or ${joinCodes.joined} < ${joinCodes.most})`

/** Finds a code, unless it is closed. @throws AppError `join_code_not_found` */
export async function findOpenCode(db: Db, codeHash: string, now: number): Promise<OpenCode> {
  const found = await db
    .select({
      course: courses.name,
      courseId: courses.id,
      timeZone: courses.timeZone,
      teacher: userInfoColumns(users),
      role: joinCodes.role,
      email: joinCodes.email,
      domains: joinCodes.domains,
      approval: joinCodes.approval,
      until: joinCodes.until,
      fault: sql<JoinOffer['fault']>`case when not ${isInTime(now)} then 'join_code_expired'
        when not ${hasRoom} then 'join_code_full' when ${courses.closedAt} is not null then 'course_closed' end`,
    })
    .from(joinCodes)
    .innerJoin(courses, eq(courses.id, joinCodes.courseId))
    .leftJoin(users, eq(users.id, courses.teacherId))
    .where(
      and(eq(joinCodes.codeHash, codeHash), isNull(joinCodes.closedAt), isNull(courses.deletedAt)),
    )
    .get()
  if (!found) throw new AppError('join_code_not_found')
  return { ...found, codeHash, teacher: toUserInfo(found.teacher) }
}

/**
 * The condition that the address of `users` is at a domain of `joinCodes`. An address counts once it is confirmed, or for its first week where its
 * owner has made the account by joining this course.
 */
const isAtDomain = sql`exists (select 1 from json_each(${joinCodes.domains}) where
  substr('.' || substr(${users.email}, instr(${users.email}, '@') + 1), -length(value) - 1) = '.' || value)`
const emailCounts = sql`(${users.emailConfirmedAt} is not null
  or (${users.confirmDueAt} is not null and ${users.madeInCourseId} is ${joinCodes.courseId}))`
const hasDomains = sql`${joinCodes.domains} <> '[]'`

/** The demands of a join, in the order in which their refusals are told. */
function demandsOf(db: Db, { codeHash, userId, now }: Joiner): BatchItem<'sqlite'>[] {
  const open = fromOpenCode(codeHash)
  const holds = (condition: SQL) => sql`exists (select 1 ${open} and ${condition})`
  const request = (state: 'waiting' | 'refused') => sql`select 1 from ${joinRequests}
    where ${joinRequests.courseId} = ${courses.id} and ${joinRequests.userId} = ${userId} and ${joinRequests.state} = ${state}`
  // A student who is invited becomes staff.
  const isIn = sql`select 1 from ${memberships} where ${memberships.courseId} = ${courses.id}
    and ${memberships.userId} = ${userId} and (${membershipCan('submission.readAll')}
      or not ${standingCan(sql`${joinCodes.role}`, 'submission.readAll')})`
  const person = (condition: SQL) =>
    holds(sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${condition})`)
  return [
    demand(db, 'join_code_not_found', holds(sql`1`)),
    demand(
      db,
      'already_member',
      holds(sql`${courses.teacherId} is not ${userId} and not exists (${isIn})`),
    ),
    demand(db, 'join_code_expired', holds(isInTime(now))),
    demand(
      db,
      'join_code_full',
      holds(
        sql`(${hasRoom} or exists (${request('waiting')} and ${joinRequests.joinCodeId} = ${joinCodes.id}))`,
      ),
    ),
    demand(db, 'course_closed', holds(sql`${courses.closedAt} is null`)),
    demand(db, 'join_refused', holds(sql`not exists (${request('refused')})`)),
    demand(db, 'email_unconfirmed', person(sql`(${emailCounts} or not ${hasDomains})`)),
    demand(
      db,
      'join_domain',
      person(sql`(${isAtDomain} or not ${hasDomains})`),
      sql`json_object('domains', (select json(${joinCodes.domains}) ${open}))`,
    ),
    demand(
      db,
      'email_unconfirmed',
      person(mayJoin(sql`${joinCodes.courseId}`, sql<CourseRole>`${joinCodes.role}`)),
    ),
  ]
}

/**
 * The statements by which a person joins the course of a code, or waits for approval where the code wants it. Where they may not, they refuse their
 * batch. The person's row in `users` must exist by then: a batch that makes an account does so before.
 */
export function joinStatements(db: Db, joiner: Joiner): BatchItem<'sqlite'>[] {
  const { codeHash, userId, ip, now } = joiner
  const { courseId, userId: ofUser, state } = joinRequests
  const open = fromOpenCode(codeHash)
  const joins = sql`${open} and not ${joinCodes.approval}`
  const isOwn = sql`${ofUser} = ${userId}`
  const somebodyWaits = sql`select 1 from ${joinRequests} where ${courseId} = ${joiner.courseId} and ${state} = 'waiting'`
  const waits = sql`${somebodyWaits} and ${isOwn}`
  // Staff who know of one who waits find the others there: three hundred at once are one notice.
  const tellStaff = insertNotice(
    db,
    {
      kind: 'join_request',
      courseId: joiner.courseId,
      timeZone: joiner.timeZone,
      subjectId: null,
      actorId: userId,
      now,
    },
    sql`exists (select 1 ${open} and ${joinCodes.approval}) and not exists (${somebodyWaits})`,
  )
  const request = { courseId: joinCodes.courseId, userId: sql`${userId}`, joinCodeId: joinCodes.id }
  return [
    ...demandsOf(db, joiner),
    db
      .update(joinCodes)
      .set({ joined: sql`${joinCodes.joined} + 1` })
      .where(
        sql`${joinCodes.codeHash} = ${codeHash} and not exists (${waits} and ${joinRequests.joinCodeId} = ${joinCodes.id})`,
      ),
    insertSelect(
      db,
      memberships,
      { ...request, role: joinCodes.role, joinedAt: now },
      sql`${joins} ${onConflictUpdate(memberships, [memberships.courseId, memberships.userId], {
        role: excluded(memberships.role),
        joinCodeId: excluded(memberships.joinCodeId),
      })}`,
    ),
    insertSelect(
      db,
      memberLabels,
      {
        courseId: joinCodes.courseId,
        userId: sql`${userId}`,
        labelId: sql<number>`${joinCodes.labelId}`,
      },
      sql`${joins} and ${joinCodes.labelId} is not null on conflict do nothing`,
    ),
    ...tellStaff,
    db
      .delete(joinRequests)
      .where(sql`${courseId} = (select ${joinCodes.courseId} ${joins}) and ${isOwn}`),
    insertSelect(
      db,
      joinRequests,
      { ...request, state: 'waiting', createdAt: now },
      sql`${open} and ${joinCodes.approval} ${onConflictUpdate(joinRequests, [courseId, ofUser], {
        joinCodeId: excluded(joinRequests.joinCodeId),
      })}`,
    ),
    db
      .update(courses)
      .set({ version: sql`${courses.version} + 1` })
      .where(sql`${courses.id} = (select ${joinCodes.courseId} ${open})`),
    insertAudit(
      db,
      { actor: { id: userId }, ip, now },
      {
        action: 'course.join',
        subject: sql`(select ${courses.name} ${open})`,
        detail: sql`(select json_object('codeId', ${joinCodes.id}, 'waits', json(iif(${joinCodes.approval}, 'true', 'false'))) ${open})`,
      },
    ),
  ]
}

/** The statement, for the same batch, that answers what a join comes to. */
export function selectJoined(db: Db, codeHash: string) {
  return rawQuery<Joined>(
    db,
    sql`select ${courses.name} as course, iif(${joinCodes.approval}, 'waiting', 'joined') as state ${fromOpenCode(codeHash)}`,
  )
}

/** Joins the course of a code, or asks to. */
export async function join(db: Db, code: OpenCode, { actor, ip, now }: Change): Promise<Joined> {
  const [[joined]] = await db.batch([
    selectJoined(db, code.codeHash),
    ...joinStatements(db, { ...code, userId: actor.id, ip, now }),
  ])
  // The demands refuse a batch without such a code.
  if (!joined) throw new AppError('join_code_not_found')
  return joined
}
