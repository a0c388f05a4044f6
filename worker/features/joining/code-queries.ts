/** The codes of a course for its staff: lists, makes, changes, rotates and closes them. */
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { COUNT_LIMITS, JOIN_LIMITS } from '#contract/limits'
import type { JoinCode, JoinCodeEdit, NewJoinCode } from '#contract/joining'
import { insertAudit } from '../../db/audit.ts'
import { aliasColumns, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { joinCodes, joinRequests, memberships, users } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { demandLabels } from '../homeworks/people-queries.ts'
import { codeHashOf, newCode } from './join-code.ts'
import { hasRoom, isInTime } from './join-queries.ts'

/** The columns of a `JoinCode`. */
const codeColumns = {
  id: joinCodes.id,
  code: joinCodes.code,
  role: joinCodes.role,
  email: joinCodes.email,
  labelId: joinCodes.labelId,
  until: joinCodes.until,
  most: joinCodes.most,
  domains: joinCodes.domains,
  approval: joinCodes.approval,
  joined: joinCodes.joined,
  createTime: joinCodes.createdAt,
  closedAt: joinCodes.closedAt,
}

/** How people join a course, for its staff. */
export async function readJoining(db: Db, { id: courseId }: CourseStanding) {
  const [codes, waiting, came] = await db.batch([
    db
      .select(codeColumns)
      .from(joinCodes)
      .where(eq(joinCodes.courseId, courseId))
      .orderBy(desc(joinCodes.id)),
    db
      .select({
        ...aliasColumns({
          username: users.username,
          displayedName: users.displayedName,
          role: users.role,
          codeId: joinRequests.joinCodeId,
          createTime: joinRequests.createdAt,
        }),
        email: sql<string | null>`iif(${users.emailConfirmedAt} is null, null, ${users.email})`.as(
          'email',
        ),
      })
      .from(joinRequests)
      .innerJoin(users, eq(users.id, joinRequests.userId))
      .where(and(eq(joinRequests.courseId, courseId), eq(joinRequests.state, 'waiting')))
      .orderBy(asc(joinRequests.createdAt), asc(users.usernameKey)),
    db
      .select({
        username: users.username,
        at: memberships.joinedAt,
        codeId: memberships.joinCodeId,
      })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(eq(memberships.courseId, courseId)),
  ])
  return {
    codes,
    waiting: waiting.map(({ email, codeId, createTime, ...user }) => ({
      user,
      ...(email !== null && { email }),
      codeId,
      createTime,
    })),
    came: Object.fromEntries(came.map(({ username, ...how }) => [username, how])),
  }
}

/** The statement that demands that a course has no more usable codes than allowed, after the statement that adds one. */
export function demandCodeRoom(db: Db, courseId: number, now: number) {
  return demand(
    db,
    'too_many_join_codes',
    sql`(select count(*) from ${joinCodes} where ${joinCodes.courseId} = ${courseId}
      and ${joinCodes.closedAt} is null and ${isInTime(now)} and ${hasRoom}) <= ${COUNT_LIMITS.joinCodes}`,
  )
}

/** A new code with its stored form. */
async function makeCode() {
  const code = newCode(JOIN_LIMITS.codeLength)
  return { code, codeHash: await codeHashOf(code) }
}

/** Makes a code for students. */
export async function insertCode(
  db: Db,
  course: CourseStanding,
  rules: NewJoinCode,
  change: Change,
): Promise<JoinCode> {
  const { id: courseId } = course
  const { now } = change
  const made = await makeCode()
  const [, [code]] = await db.batch([
    demandLabels(db, courseId, rules.labelId === null ? [] : [rules.labelId]),
    db
      .insert(joinCodes)
      .values({ ...rules, ...made, courseId, role: 'student', createdAt: now })
      .returning(codeColumns),
    demandCodeRoom(db, courseId, now),
    insertAudit(db, change, {
      action: 'course.join_code',
      subject: course.name,
      detail: sql`json_object('codeId', last_insert_rowid())`,
    }),
  ])
  if (!code) throw new AppError('join_code_not_found')
  return code
}

/** Changes a code; an invitation can only be closed, because to invite somebody asks for the password. */
export async function updateCode(
  db: Db,
  course: CourseStanding,
  codeId: number,
  { rotate, closed, ...rules }: JoinCodeEdit,
  change: Change,
): Promise<JoinCode> {
  const { now } = change
  const onlyCloses = closed === true && !rotate && Object.keys(rules).length === 0
  const isThis = and(
    eq(joinCodes.id, codeId),
    eq(joinCodes.courseId, course.id),
    onlyCloses ? undefined : isNull(joinCodes.email),
  )
  const whenClosed = closed ? sql`coalesce(${joinCodes.closedAt}, ${now})` : null
  const [, , [code]] = await db.batch([
    demand(db, 'join_code_not_found', sql`exists (select 1 from ${joinCodes} where ${isThis})`),
    demandLabels(db, course.id, typeof rules.labelId === 'number' ? [rules.labelId] : []),
    db
      .update(joinCodes)
      .set({
        ...rules,
        ...(rotate && (await makeCode())),
        closedAt: closed === undefined ? sql`${joinCodes.closedAt}` : whenClosed,
      })
      .where(isThis)
      .returning(codeColumns),
    demandCodeRoom(db, course.id, now),
    insertAudit(db, change, {
      action: 'course.join_code.edit',
      subject: course.name,
      detail: { codeId, rotated: rotate ?? false, ...(closed !== undefined && { closed }) },
    }),
  ])
  if (!code) throw new AppError('join_code_not_found')
  return code
}
