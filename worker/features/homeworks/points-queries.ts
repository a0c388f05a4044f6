/** Points that staff give a student. */
import { and, eq, sql } from 'drizzle-orm'
import type { PointsForm } from '#contract/homework-overrides'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { homeworkProblems, staffPoints, users } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { demandHomework, demandStudents, peopleDetail } from './people-queries.ts'
import type { HomeworkAccess } from './queries.ts'

/** Gives a student points for a problem or for the homework as a whole, in place of earlier ones, or takes them back. */
export async function givePoints(
  db: Db,
  { homeworkId, courseId, course }: HomeworkAccess,
  { username, problemId, points, comment }: PointsForm,
  change: Change,
): Promise<void> {
  const isStudent = sql`${users.usernameKey} = ${username.toLowerCase()}`
  const isInHomework = and(
    eq(homeworkProblems.homeworkId, homeworkId),
    sql`${homeworkProblems.problemId} = ${problemId}`,
  )
  await db.batch([
    demandHomework(db, homeworkId),
    demandStudents(db, courseId, [username]),
    demand(
      db,
      'problem_not_found',
      sql`${problemId} is null or exists (select 1 from ${homeworkProblems} where ${isInHomework})`,
    ),
    db
      .delete(staffPoints)
      .where(
        and(
          eq(staffPoints.homeworkId, homeworkId),
          sql`${staffPoints.problemId} is ${problemId}`,
          sql`${staffPoints.userId} = (select ${users.id} from ${users} where ${isStudent})`,
        ),
      ),
    insertSelect(
      db,
      staffPoints,
      {
        homeworkId,
        userId: users.id,
        problemId,
        hundredths: Math.round((points ?? 0) * 100),
        comment,
        giverId: change.actor.id,
        givenAt: change.now,
      },
      sql`from ${users} where ${isStudent} and ${points} is not null`,
    ),
    insertAudit(db, change, {
      action: 'homework.points',
      subject: homeworkId,
      detail: { course, ...peopleDetail([username]), problemId, points },
    }),
  ])
}
