/** Reads the late days of a course. */
import { asc, eq, isNotNull, sql } from 'drizzle-orm'
import type { LateDayTable } from '#contract/late-days'
import { can } from '#contract/roles'
import { aliasColumns, type Db } from '../../db/client.ts'
import { userInfoColumns } from '../../db/people.ts'
import { homeworks, lateDayBudgets, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { GradebookReader, selectUnshown } from '../homeworks/gradebook-queries.ts'
import { selectStudents } from '../homeworks/people-queries.ts'
import { progressFor } from '../homeworks/queries.ts'
import { readSpending, selectSpending } from '../homeworks/spending-queries.ts'
import type { Reading } from '../homeworks/reading-queries.ts'

/** The budgets of a course, in their order. */
function selectBudgets(db: Db, course: CourseStanding) {
  const { id, name, size, mostEach, spending, movesClosing, courseId } = lateDayBudgets
  return db
    .select({ id, name, size, mostEach, spending, movesClosing })
    .from(lateDayBudgets)
    .where(eq(courseId, course.id))
    .orderBy(asc(id))
}

/** The students of a course by username; for a student nobody but themselves. */
function selectListed(db: Db, { id, standing }: CourseStanding, user: SessionUser) {
  return db
    .select(aliasColumns({ id: users.id, ...userInfoColumns(users) }))
    .from(users)
    .where(
      can(standing, 'submission.readAll')
        ? sql`${users.id} in (${selectStudents(id)})`
        : eq(users.id, user.id),
    )
    .orderBy(asc(users.usernameKey))
}

/** The budgets of a course and who uses their days where: for staff of all students, for students their own. */
export async function getLateDayTable(
  db: Db,
  course: CourseStanding,
  user: SessionUser,
  now: number,
): Promise<LateDayTable> {
  const reading: Reading = {
    standing: 'student',
    user,
    which: sql`${eq(homeworks.courseId, course.id)} and ${isNotNull(homeworks.budgetId)}`,
    progress: progressFor(course.standing, user),
    now,
  }
  // Staff see all marks.
  const hiding = can(course.standing, 'gradebook.read') ? { ...reading, which: sql`0` } : reading
  const [budgets, people, unshown, ...read] = await db.batch([
    selectBudgets(db, course),
    selectListed(db, course, user),
    selectUnshown(db, hiding),
    ...selectSpending(db, reading),
  ])
  const { rows, lateDays } = await readSpending(db, reading, read)
  const gradebook = new GradebookReader([], unshown)
  const inOrder = rows.toSorted((left, right) => left.endAt - right.endAt)
  const homeworksOf = Map.groupBy(inOrder, ({ budgetId }) => budgetId)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const usesOf = (budgetId: number, userId: number) =>
    [...lateDays.usedOf(budgetId, userId)].map(([homeworkId, days]) => ({
      homeworkId,
      name: names.get(homeworkId) ?? '',
      days,
      gain: gradebook.isShown(homeworkId, userId)
        ? lateDays.gainOf(homeworkId, userId, days)
        : null,
    }))
  return {
    budgets: budgets.map((budget) => ({
      ...budget,
      homeworkIds: (homeworksOf.get(budget.id) ?? []).map(({ id }) => id),
    })),
    people: people.map(({ id: userId, ...person }) => ({
      user: person,
      budgets: budgets.map(({ id, size }) => ({
        left: lateDays.leftOf(id, size, userId),
        uses: usesOf(id, userId),
      })),
    })),
  }
}
