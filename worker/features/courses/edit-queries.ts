/** Writing courses: create, rename, hand over, delete, restore. */
import { and, eq, lt, sql, type SQL } from 'drizzle-orm'
import type { CourseEdit, NewCourse } from '#contract/courses'
import { courseNameKey } from '#contract/names'
import { can, roleCan, rolesThatCan, type Standing } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { isNamed } from '../../db/course-names.ts'
import { isCurrent } from '../../db/edits.ts'
import { userInfoColumns } from '../../db/people.ts'
import { courses, memberships, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf, type CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { COURSE_RESTORE_SECONDS } from './queries.ts'
import { findMoves, noMoves } from './wall-time-queries.ts'

/** The future teacher of a course, if there is such a user. */
function selectTeacher(db: Db, username: string) {
  return db
    .select({ ...userInfoColumns(users), emailConfirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(eq(users.usernameKey, username.toLowerCase()))
}

/**
 * Frees the name of a course that can no longer be restored: that course gets a name nobody can type. First
 * in a batch that gives the name to another course.
 */
function freeDeletedName(db: Db, name: string, now: number) {
  return db
    .update(courses)
    .set({
      name: sql`${courses.name} || '#' || ${courses.id}`,
      nameKey: sql`${courses.nameKey} || '#' || ${courses.id}`,
    })
    .where(and(isNamed(name), lt(courses.deletedAt, now - COURSE_RESTORE_SECONDS)))
}

/** The condition that no other course has the name. @param courseId the course that gets it */
function isFree(name: string, courseId: number | null): SQL {
  return sql`not exists (select 1 from ${courses} where ${isNamed(name)} and ${courses.id} is not ${courseId})`
}

/** The id of whoever has a username and may teach. */
function teacherId(username: string): SQL {
  return sql`(select ${users.id} from ${users} where ${users.usernameKey} = ${username.toLowerCase()}
    and ${users.role} in ${rolesThatCan('course.create')} and ${users.emailConfirmedAt} is not null)`
}

/** Refuses a future teacher who does not exist, is a student, or has an e-mail that does not count. */
function refuseTeacher(
  found: Awaited<ReturnType<typeof selectTeacher>>[number] | undefined,
  username: string,
): void {
  if (!found) throw new AppError('user_not_found', { unknown: [username] })
  if (!roleCan(found.role, 'course.create')) throw new AppError('teacher_is_student')
  if (found.emailConfirmedAt === null)
    throw new AppError('email_unconfirmed', { unconfirmed: [userInfoColumns(found)] })
}

/**
 * Creates a course. Only admins may name somebody else as its teacher; a student can be nobody's teacher.
 * @param demandFresh called before somebody else becomes teacher; throws when the caller may not
 */
export async function insertCourse(
  db: Db,
  form: Required<NewCourse>,
  change: Change,
  demandFresh: () => void,
): Promise<void> {
  const { actor, now } = change
  const isOwn = form.teacher.toLowerCase() === actor.username.toLowerCase()
  if (!isOwn && !roleCan(actor.role, 'course.appointTeacher')) throw new AppError('forbidden')
  if (!isOwn) demandFresh()
  const isNew = sql`(${isFree(form.course, null)} and ${teacherId(form.teacher)} is not null)`
  const [teachers, , , inserted] = await db.batch([
    selectTeacher(db, form.teacher),
    freeDeletedName(db, form.course, now),
    insertAudit(db, change, { action: 'course.create', subject: form.course, when: isNew }),
    insertSelect<typeof courses, { id: number }>(
      db,
      courses,
      {
        name: form.course,
        nameKey: courseNameKey(form.course),
        teacherId: teacherId(form.teacher),
        timeZone: form.timeZone,
        createdAt: now,
      },
      sql`where ${isNew} returning ${courses.id}`,
    ),
  ])
  refuseTeacher(teachers[0], form.teacher)
  if (inserted.length === 0) throw new AppError('course_exists')
}

/**
 * Renames a course, gives it another time zone or another teacher, who is then no longer its assistant or student.
 * @param basedOn version the edit was made on; null overwrites whatever there is
 */
export async function updateCourse(
  db: Db,
  course: CourseStanding,
  edit: CourseEdit,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  const { newCourse = course.name, teacher, timeZone = course.timeZone } = edit
  const isRenamed = newCourse !== course.name
  const keepsWallTimes = timeZone !== course.timeZone && edit.keepWallTimes === true
  const moves = keepsWallTimes ? await findMoves(db, course, timeZone, now) : noMoves(db)
  const conditions = [
    isCurrent(courses, course.id, basedOn),
    isRenamed ? isFree(newCourse, course.id) : sql`1`,
    teacher === undefined ? sql`1` : sql`${teacherId(teacher)} is not null`,
  ]
  const mayEdit = sql.join(conditions, sql` and `)
  const when = sql`(${moves.isPossible} and ${mayEdit})`
  const [teachers, , names, , , , updated] = await db.batch([
    selectTeacher(db, teacher ?? ''),
    freeDeletedName(db, newCourse, now),
    db.select({ id: courses.id }).from(courses).where(isNamed(newCourse)),
    db
      .delete(memberships)
      .where(
        and(
          eq(memberships.courseId, course.id),
          eq(memberships.userId, teacherId(teacher ?? '')),
          when,
        ),
      ),
    insertAudit(db, change, {
      action: 'course.edit',
      subject: course.name,
      detail: {
        newCourse,
        ...(teacher !== undefined && { teacher }),
        ...(edit.timeZone !== undefined && { timeZone, keepsWallTimes }),
      },
      when,
    }),
    moves.update(when),
    // Last, because it makes the version that the others ask for an older one.
    db
      .update(courses)
      .set({
        ...(isRenamed && { name: newCourse, nameKey: courseNameKey(newCourse) }),
        ...(teacher !== undefined && { teacherId: teacherId(teacher) }),
        ...(edit.timeZone !== undefined && { timeZone }),
        version: sql`${courses.version} + 1`,
      })
      .where(and(eq(courses.id, course.id), mayEdit, moves.isDone))
      .returning({ id: courses.id }),
  ])
  if (teacher !== undefined) refuseTeacher(teachers[0], teacher)
  if (isRenamed && names.some(({ id }) => id !== course.id)) throw new AppError('course_exists')
  if (updated.length === 0) throw new AppError('stale_edit')
}

/** Deletes a course. It can be restored for thirty days; meanwhile nobody sees it or anything in it. */
export async function deleteCourse(
  db: Db,
  course: CourseStanding,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  const when = isCurrent(courses, course.id, basedOn)
  const [, deleted] = await db.batch([
    insertAudit(db, change, {
      action: 'course.delete',
      subject: course.name,
      when,
    }),
    db
      .update(courses)
      .set({ deletedAt: now, purgeMarkedAt: null, version: sql`${courses.version} + 1` })
      .where(and(eq(courses.id, course.id), when))
      .returning({ id: courses.id }),
  ])
  if (deleted.length === 0) throw new AppError('stale_edit')
}

/** A live or restorable course. */
interface RestorableCourse {
  id: number
  name: string
  deletedAt: number | null
  standing: Standing
}

/** The live or restorable course of a name; a deleted one only for those who may restore it. */
export async function findRestorable(
  db: Db,
  user: SessionUser,
  name: string,
  now: number,
): Promise<RestorableCourse | undefined> {
  const found = await db
    .select({
      id: courses.id,
      name: courses.name,
      deletedAt: courses.deletedAt,
      standing: standingOf(user),
    })
    .from(courses)
    .leftJoin(memberships, ownMembership(user))
    .where(
      and(
        isNamed(name),
        sql`(${courses.deletedAt} is null or ${courses.deletedAt} >= ${now - COURSE_RESTORE_SECONDS})`,
      ),
    )
    .get()
  const isHidden = found?.deletedAt !== null && !can(found?.standing ?? 'guest', 'course.manage')
  return isHidden ? undefined : found
}

/** Restores a deleted course with all that is in it; a live one stays as it is. */
export async function restoreCourse(
  db: Db,
  course: RestorableCourse,
  change: Change,
): Promise<void> {
  const isDeleted = sql`exists (select 1 from ${courses} where ${courses.id} = ${course.id} and ${courses.deletedAt} is not null)`
  await db.batch([
    insertAudit(db, change, { action: 'course.restore', subject: course.name, when: isDeleted }),
    db
      .update(courses)
      .set({ deletedAt: null, version: sql`${courses.version} + 1` })
      .where(and(eq(courses.id, course.id), isDeleted)),
  ])
}
