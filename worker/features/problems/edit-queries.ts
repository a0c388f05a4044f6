/** Writing problems: create, change, delete. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { ProblemForm } from '#contract/problems'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { isCurrent } from '../../db/edits.ts'
import { problems, subtasks, testDataVersions } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import type { CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import type { ProblemAccess } from './access-queries.ts'

/** Form → row. */
function toRow(form: ProblemForm) {
  return {
    name: form.problemName,
    status: form.status,
    type: form.type,
    tags: [...new Set(form.tags)],
    quota: form.quota,
    allowedLanguage: form.allowedLanguage,
    description: form.description,
    compare: form.compare,
  }
}

/** The id of the last inserted problem, within the batch that inserts it. */
export const newestProblemId = sql`(select seq from sqlite_sequence where name = 'problems')`

/** Inserts a form's subtasks as one JSON parameter, if the condition holds. */
function insertSubtasks(db: Db, problemId: number | SQL, form: ProblemForm, when = sql`1`) {
  return insertSelect(
    db,
    subtasks,
    {
      problemId,
      position: sql`key`,
      caseCount: sql`value ->> 'caseCount'`,
      score: sql`value ->> 'taskScore'`,
      memoryLimitKb: sql`value ->> 'memoryLimit'`,
      timeLimitMs: sql`value ->> 'timeLimit'`,
      outputLimitKb: sql`value ->> 'outputLimit'`,
    },
    sql`from json_each(${JSON.stringify(form.testCase)}) where ${when}`,
  )
}

/** Creates a problem and gives its id. */
export async function insertProblem(
  db: Db,
  course: CourseStanding,
  form: ProblemForm,
  change: Change,
): Promise<number> {
  const { actor, now } = change
  const [inserted] = await db.batch([
    db
      .insert(problems)
      .values({
        ...toRow(form),
        courseId: course.id,
        ownerId: actor.id,
        createdAt: now,
        updatedAt: now,
      })
      .returning({ id: problems.id }),
    insertSubtasks(db, newestProblemId, form),
    insertAudit(db, change, {
      action: 'problem.create',
      subject: form.problemName,
      detail: { course: course.name },
    }),
  ])
  const id = inserted[0]?.id
  if (id === undefined) throw new Error('D1 did not return the id of a new problem')
  return id
}

/**
 * Changes a problem. The newest upload that fits the subtasks becomes the active test data: a change of
 * case counts deactivates data that no longer fit, changing back activates them again.
 * @param basedOn version the edit was made on; null overwrites whatever there is
 */
export async function updateProblem(
  db: Db,
  { problemId, course }: ProblemAccess,
  form: ProblemForm,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  const caseCounts = JSON.stringify(form.testCase.map((subtask) => subtask.caseCount))
  const when = isCurrent(problems, problemId, basedOn)
  const [, , , updated] = await db.batch([
    db.delete(subtasks).where(and(eq(subtasks.problemId, problemId), when)),
    insertSubtasks(db, problemId, form, when),
    insertAudit(db, change, {
      action: 'problem.edit',
      subject: String(problemId),
      detail: { course },
      when,
    }),
    // Last, because it makes the version that the others ask for an older one.
    db
      .update(problems)
      .set({
        ...toRow(form),
        version: sql`${problems.version} + 1`,
        updatedAt: now,
        testDataVersion: sql`(select ${testDataVersions.id} from ${testDataVersions}
          where ${testDataVersions.problemId} = ${problemId} and ${testDataVersions.caseCounts} = ${caseCounts} order by ${testDataVersions.id} desc limit 1)`,
      })
      .where(and(eq(problems.id, problemId), when))
      .returning({ version: problems.version }),
  ])
  if (updated.length === 0) throw new AppError('stale_edit')
}

/** Deletes a problem. Submissions and test data stay as long as the course; kept outputs go. */
export async function deleteProblem(
  db: Db,
  { problemId, course }: ProblemAccess,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  const when = isCurrent(problems, problemId, basedOn)
  const [, deleted] = await db.batch([
    insertAudit(db, change, {
      action: 'problem.delete',
      subject: String(problemId),
      detail: { course },
      when,
    }),
    db
      .update(problems)
      .set({ deletedAt: now, version: sql`${problems.version} + 1` })
      .where(and(eq(problems.id, problemId), when))
      .returning({ id: problems.id }),
  ])
  if (deleted.length === 0) throw new AppError('stale_edit')
}
