/** Courses and their members. */
import { and, asc, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type {
  CourseDetail,
  CourseItem,
  CourseMembers,
  MemberChanges,
  NewCourse,
} from '#contract/courses'
import { PUBLIC_COURSE } from '#contract/fields'
import { insertAudit } from '../../db/audit.ts'
import { execute, named, type Db } from '../../db/client.ts'
import { toUserInfo, userInfoColumns } from '../../db/people.ts'
import { courses, memberships, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf, toCourseRole, type CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'

/** The caller's courses by name; all of them for an admin. */
export async function listCourses(db: Db, user: SessionUser): Promise<CourseItem[]> {
  const rows = await db
    .select({ course: courses.name, teacher: userInfoColumns(users), standing: standingOf(user) })
    .from(courses)
    .leftJoin(users, eq(users.id, courses.teacherId))
    .leftJoin(memberships, ownMembership(user))
    .where(
      and(
        isNull(courses.deletedAt),
        ne(courses.name, PUBLIC_COURSE),
        user.role === 0
          ? undefined
          : or(eq(courses.teacherId, user.id), eq(memberships.userId, user.id)),
      ),
    )
    .orderBy(asc(courses.name))
  return rows.map(({ standing, teacher, course }) => ({
    course,
    teacher: toUserInfo(teacher),
    role: toCourseRole(standing),
  }))
}

/** Creates a course. Only admins may name somebody else as its teacher; a student can be nobody's teacher. */
export async function insertCourse(
  db: Db,
  form: Required<NewCourse>,
  { actor, ip, now }: Change,
): Promise<void> {
  const [teachers, names] = await db.batch([
    db
      .select({ id: users.id, role: users.role })
      .from(users)
      .where(eq(users.usernameKey, form.teacher.toLowerCase())),
    db.select({ id: courses.id }).from(courses).where(eq(courses.name, form.course)),
  ])
  const teacher = teachers[0]
  if (actor.role !== 0 && teacher?.id !== actor.id) throw new AppError('forbidden')
  if (!teacher) throw new AppError('user_not_found', { unknown: [form.teacher] })
  if (teacher.role === 2) throw new AppError('teacher_is_student')
  if (names.length > 0) throw new AppError('course_exists')
  const [inserted] = await db.batch([
    db
      .insert(courses)
      .values({ name: form.course, teacherId: teacher.id, timeZone: form.timeZone, createdAt: now })
      .onConflictDoNothing()
      .returning({ id: courses.id }),
    insertAudit(db, { actorId: actor.id, action: 'course.create', subject: form.course, ip, now }),
  ])
  if (inserted.length === 0) throw new AppError('course_exists')
}

/** A course with everyone in it. */
export async function getCourse(db: Db, course: CourseStanding): Promise<CourseDetail> {
  const [teachers, members] = await db.batch([
    db
      .select(userInfoColumns(users))
      .from(users)
      .where(eq(users.id, course.teacherId ?? 0)),
    db
      .select({ ...named(userInfoColumns(users)), ...named({ courseRole: memberships.role }) })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(eq(memberships.courseId, course.id))
      .orderBy(asc(users.usernameKey)),
  ])
  const withRole = (courseRole: 'ta' | 'student') =>
    members.filter((member) => member.courseRole === courseRole).map(userInfoColumns)
  return {
    course: course.name,
    teacher: toUserInfo(teachers[0] ?? null),
    TAs: withRole('ta'),
    students: withRole('student'),
    role: toCourseRole(course.standing),
    timeZone: course.timeZone,
  }
}

/** Someone found by what was typed for them. */
interface NamedUser {
  id: number
  typed: string
}

/** Finds people by username or e-mail; 404 names everyone who is unknown. */
async function findNamed(db: Db, typed: string[]): Promise<Map<string, number>> {
  const keys = JSON.stringify(typed)
  const found = await execute<NamedUser>(
    db,
    sql`
    select ${users.id} as id, t.value as typed from json_each(${keys}) t
      join ${users} on ${users.usernameKey} = lower(t.value) or ${users.email} = lower(t.value)`,
  )
  const ids = new Map(found.map((row) => [row.typed, row.id]))
  const unknown = typed.filter((name) => !ids.has(name))
  if (unknown.length > 0) throw new AppError('user_not_found', { unknown })
  return ids
}

/** Adds, changes and removes the people named and touches nobody else; their submissions stay. */
export async function changeMembers(
  db: Db,
  course: CourseStanding,
  { add = [], remove = [] }: MemberChanges,
  change: Change,
): Promise<void> {
  const ids = await findNamed(db, [...add.map((entry) => entry.user), ...remove])
  const rows = add.map((entry) => ({ userId: ids.get(entry.user), role: entry.role }))
  await writeMembers(
    db,
    course,
    rows,
    sql`select value from json_each(${JSON.stringify(remove.map((name) => ids.get(name)))})`,
    change,
  )
}

/** Replaces both lists. */
export async function replaceMembers(
  db: Db,
  course: CourseStanding,
  lists: CourseMembers,
  change: Change,
): Promise<void> {
  const ids = await findNamed(db, [...lists.TAs, ...lists.students])
  const rows = [
    ...lists.students.map((name) => ({ userId: ids.get(name), role: 'student' as const })),
    ...lists.TAs.map((name) => ({ userId: ids.get(name), role: 'ta' as const })),
  ]
  const kept = JSON.stringify(rows.map((row) => row.userId))
  const gone = sql`select user_id from ${memberships} where course_id = ${course.id}
    and user_id not in (select value from json_each(${kept}))`
  await writeMembers(db, course, rows, gone, change)
}

/** One transaction: removals, then additions and changes of role, then the audit entry. */
async function writeMembers(
  db: Db,
  course: CourseStanding,
  rows: { userId: number | undefined; role: 'ta' | 'student' }[],
  removed: ReturnType<typeof sql>,
  { actor, ip, now }: Change,
): Promise<void> {
  const added = JSON.stringify(rows)
  await db.batch([
    execute(
      db,
      sql`delete from ${memberships} where course_id = ${course.id} and user_id in (${removed})`,
    ),
    execute(
      db,
      sql`insert into ${memberships} (course_id, user_id, role, joined_at)
      select ${course.id}, value ->> 'userId', value ->> 'role', ${now} from json_each(${added})
      where value ->> 'userId' is not ${course.teacherId}
      on conflict (course_id, user_id) do update set role = excluded.role`,
    ),
    insertAudit(db, {
      actorId: actor.id,
      action: 'course.members',
      subject: course.name,
      detail: { changed: rows.length },
      ip,
      now,
    }),
  ])
}
