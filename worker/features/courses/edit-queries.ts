/** Writing courses: create, rename, hand over, delete, restore. */
import { and, eq, isNotNull, lt, or, sql, type SQL } from 'drizzle-orm'
import type { CourseEdit, NewCourse } from '#contract/courses'
import { courseNameKey } from '#contract/names'
import { can, roleCan, rolesThatCan, type Standing } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { isNamed } from '../../db/course-names.ts'
import { demand } from '../../db/demand.ts'
import { demandCurrent } from '../../db/edits.ts'
import { userInfoJson } from '../../db/people.ts'
import { courses, memberships, submissions, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf, type CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { COURSE_RESTORE_SECONDS } from './queries.ts'
import { moveHomeworks } from './wall-time-queries.ts'

/** The condition that nobody has joined a course or handed in there, so that its deletion is an undo. */
const isUnused = sql`not exists (select 1 from ${memberships} where ${memberships.courseId} = ${courses.id})
  and not exists (select 1 from ${submissions} where ${submissions.courseId} = ${courses.id})`

/**
 * The statement that frees the name of a deleted course that nobody ever joined or that can no longer be restored, by giving it a name
 * that cannot be typed. It must come before the statement that gives the freed name to another course.
 */
export function freeDeletedName(db: Db, name: string, now: number) {
  return db
    .update(courses)
    .set({
      name: sql`${courses.name} || '#' || ${courses.id}`,
      nameKey: sql`${courses.nameKey} || '#' || ${courses.id}`,
    })
    .where(
      and(
        isNamed(name),
        isNotNull(courses.deletedAt),
        or(lt(courses.deletedAt, now - COURSE_RESTORE_SECONDS), isUnused),
      ),
    )
}

/** The statement that demands that no other course has the name. @param courseId the course that gets the name */
export function demandFree(db: Db, name: string, courseId: number | null) {
  const other = sql`select 1 from ${courses} where ${isNamed(name)} and ${courses.id} is not ${courseId}`
  return demand(db, 'course_exists', sql`not exists (${other})`)
}

/** The condition that an account has this username. */
function isCalled(username: string): SQL {
  return sql`${users.usernameKey} = ${username.toLowerCase()}`
}

/** The statements that check a future teacher: the account exists, is not a student's, and has a confirmed e-mail. */
export function demandTeacher(db: Db, username: string) {
  const named = sql`select 1 from ${users} where ${isCalled(username)}`
  const mayTeach = sql`${users.role} in ${rolesThatCan('course.create')}`
  const unknown = sql`json_object('unknown', json_array(${username}))`
  const unconfirmed = sql`(select json_object('unconfirmed', json_array(${userInfoJson})) from ${users} where ${isCalled(username)})`
  return [
    demand(db, 'user_not_found', sql`exists (${named})`, unknown),
    demand(db, 'teacher_is_student', sql`exists (${named} and ${mayTeach})`),
    demand(
      db,
      'email_unconfirmed',
      sql`exists (${named} and ${users.emailConfirmedAt} is not null)`,
      unconfirmed,
    ),
  ] as const
}

/** The id of the person with a username. */
function userId(username: string): SQL {
  return sql`(select ${users.id} from ${users} where ${isCalled(username)})`
}

/**
 * Creates a course. Only admins may name another person as its teacher; a student cannot be one.
 * @param demandFresh called before another person becomes teacher; throws when the caller may not
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
  await db.batch([
    ...demandTeacher(db, form.teacher),
    freeDeletedName(db, form.course, now),
    demandFree(db, form.course, null),
    insertSelect(db, courses, {
      name: form.course,
      nameKey: courseNameKey(form.course),
      teacherId: userId(form.teacher),
      timeZone: form.timeZone,
      createdAt: now,
    }),
    insertAudit(db, change, { action: 'course.create', subject: form.course }),
  ])
}

/**
 * Renames a course, closes or opens it, or gives it another time zone, teacher or rule of what counts. The new teacher is then no assistant or student of it.
 * @param basedOn version the edit was made on; null overwrites any version
 */
export async function updateCourse(
  db: Db,
  course: CourseStanding,
  edit: CourseEdit,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  const { newCourse = course.name, teacher, timeZone = course.timeZone, counts, closed } = edit
  const isRenamed = newCourse !== course.name
  const keepsWallTimes = timeZone !== course.timeZone && edit.keepWallTimes === true
  const appoints =
    teacher === undefined
      ? []
      : [
          ...demandTeacher(db, teacher),
          db
            .delete(memberships)
            .where(
              and(eq(memberships.courseId, course.id), eq(memberships.userId, userId(teacher))),
            ),
        ]
  await db.batch([
    insertAudit(db, change, {
      action: 'course.edit',
      subject: course.name,
      detail: {
        newCourse,
        ...(teacher !== undefined && { teacher }),
        ...(edit.timeZone !== undefined && { timeZone, keepsWallTimes }),
        ...(counts !== undefined && { counts }),
        ...(closed !== undefined && { closed }),
      },
    }),
    ...appoints,
    ...(isRenamed
      ? [freeDeletedName(db, newCourse, now), demandFree(db, newCourse, course.id)]
      : []),
    demandCurrent(db, courses, course.id, basedOn),
    ...(keepsWallTimes ? await moveHomeworks(db, course, timeZone, now) : []),
    db
      .update(courses)
      .set({
        ...(isRenamed && { name: newCourse, nameKey: courseNameKey(newCourse) }),
        ...(teacher !== undefined && { teacherId: userId(teacher) }),
        ...(edit.timeZone !== undefined && { timeZone }),
        ...(counts !== undefined && { counts }),
        ...(closed !== undefined && {
          closedAt: closed ? sql`coalesce(${courses.closedAt}, ${now})` : null,
        }),
        version: sql`${courses.version} + 1`,
      })
      .where(eq(courses.id, course.id)),
  ])
}

/** The statements that close a course with its copy; a course that is closed stays so. */
export function closeCourse(db: Db, { id, name }: CourseStanding, change: Change) {
  return [
    db
      .update(courses)
      .set({
        closedAt: sql`coalesce(${courses.closedAt}, ${change.now})`,
        version: sql`${courses.version} + 1`,
      })
      .where(eq(courses.id, id)),
    insertAudit(db, change, { action: 'course.edit', subject: name, detail: { closed: true } }),
  ] as const
}

/** Deletes a course. The course and its content are hidden; it can be restored for thirty days. */
export async function deleteCourse(
  db: Db,
  course: CourseStanding,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  await db.batch([
    demandCurrent(db, courses, course.id, basedOn),
    db
      .update(courses)
      .set({ deletedAt: now, purgeMarkedAt: null, version: sql`${courses.version} + 1` })
      .where(eq(courses.id, course.id)),
    insertAudit(db, change, { action: 'course.delete', subject: course.name }),
  ])
}

/** A live or restorable course. */
interface RestorableCourse {
  id: number
  name: string
  deletedAt: number | null
  standing: Standing
}

/** The live or restorable course of a name; a deleted course only for people who may restore it. */
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

/** Restores a deleted course with its content; a live course stays as it is. */
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
