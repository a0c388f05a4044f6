/** Writing problems: create, change, delete. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { ProblemForm } from '#contract/problems'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demandCurrent } from '../../db/edits.ts'
import {
  ASIDE,
  hints,
  mergedMistakes,
  problemFiles,
  problems,
  questions,
  subtasks,
  testDataVersions,
} from '../../db/schema.ts'
import { databaseNowMs, insertSelect } from '../../db/statements.ts'
import type { CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
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

/** Inserts a form's subtasks as one JSON parameter. */
function insertSubtasks(db: Db, problemId: number | SQL, form: ProblemForm) {
  return insertSelect(
    db,
    subtasks,
    {
      problemId,
      position: sql`key`,
      caseCount: sql`value ->> 'caseCount'`,
      score: sql`value ->> 'taskScore'`,
      isSample: sql`value ->> 'sample'`,
      becomesSample: sql`coalesce(value ->> 'becomesSample', 0)`,
      memoryLimitKb: sql`value ->> 'memoryLimit'`,
      timeLimitMs: sql`value ->> 'timeLimit'`,
      outputLimitKb: sql`value ->> 'outputLimit'`,
    },
    sql`from json_each(${JSON.stringify(form.testCase)})`,
  )
}

/** Creates a problem. @returns its id */
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

/** The newest test data that fit a form. */
function fittingTestData(problemId: number, { testCase }: ProblemForm): SQL<string | null> {
  const caseCounts = JSON.stringify(testCase.map((subtask) => subtask.caseCount))
  return sql`(select ${testDataVersions.id} from ${testDataVersions}
    where ${testDataVersions.problemId} = ${problemId} and ${testDataVersions.caseCounts} = ${caseCounts} order by ${testDataVersions.id} desc limit 1)`
}

/** The statement that notes the time if submissions are judged differently with this form than with the stored problem. */
function noteJudgingChange(db: Db, problemId: number, form: ProblemForm) {
  const { caseCount, score, memoryLimitKb, timeLimitMs, outputLimitKb, position } = subtasks
  const stored = sql`(select json_group_array(json_array(${caseCount}, ${score}, ${memoryLimitKb}, ${timeLimitMs}, ${outputLimitKb}) order by ${position})
    from ${subtasks} where ${subtasks.problemId} = ${problemId})`
  const given = form.testCase.map((each) => [
    each.caseCount,
    each.taskScore,
    each.memoryLimit,
    each.timeLimit,
    each.outputLimit,
  ])
  return db
    .update(problems)
    .set({ judgingChangedAtMs: databaseNowMs })
    .where(
      and(
        eq(problems.id, problemId),
        sql`(${stored} <> ${JSON.stringify(given)} or ${problems.compare} <> ${JSON.stringify(form.compare)}
          or ${problems.testDataVersion} is not ${fittingTestData(problemId, form)})`,
      ),
    )
}

/** The statement that sets hints aside where a sample becomes hidden: they were written when students saw its cases. A mistake may be of any case. */
function hideSamples(db: Db, problemId: number, form: ProblemForm) {
  const { position, isSample } = subtasks
  const given = JSON.stringify(form.testCase)
  const hidden = sql`select ${position} from ${subtasks} join json_each(${given}) on key = ${position}
    where ${subtasks.problemId} = ${problemId} and ${isSample} and not value ->> 'sample'`
  return db
    .update(hints)
    .set({ judgingChangedAtMs: ASIDE })
    .where(
      and(
        eq(hints.problemId, problemId),
        sql`iif(${hints.task} is null, exists (${hidden}), ${hints.task} in (${hidden}))`,
      ),
    )
}

/**
 * Changes a problem. The newest upload that fits the subtasks becomes the active test data. So changed case counts deactivate
 * test data that no longer fit, and changing the counts back activates the same data again.
 * @param basedOn version the edit was made on; null overwrites any version
 */
export async function updateProblem(
  db: Db,
  { problemId, course }: ProblemAccess,
  form: ProblemForm,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  await db.batch([
    demandCurrent(db, problems, problemId, basedOn),
    // These come first, while the old form is there to compare with.
    noteJudgingChange(db, problemId, form),
    hideSamples(db, problemId, form),
    db.delete(subtasks).where(eq(subtasks.problemId, problemId)),
    insertSubtasks(db, problemId, form),
    db
      .update(problems)
      .set({
        ...toRow(form),
        version: sql`${problems.version} + 1`,
        updatedAt: now,
        testDataVersion: fittingTestData(problemId, form),
      })
      .where(eq(problems.id, problemId)),
    insertAudit(db, change, {
      action: 'problem.edit',
      subject: String(problemId),
      detail: { course },
    }),
  ])
}

/**
 * Deletes a problem. Submissions and test data stay as long as the course; kept outputs, the statement's files and hints are deleted. Its
 * open questions are resolved; a reply reopens a question.
 */
export async function deleteProblem(
  db: Db,
  { problemId, course }: ProblemAccess,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  await db.batch([
    demandCurrent(db, problems, problemId, basedOn),
    db.delete(problemFiles).where(eq(problemFiles.problemId, problemId)),
    db.delete(hints).where(eq(hints.problemId, problemId)),
    db.delete(mergedMistakes).where(eq(mergedMistakes.problemId, problemId)),
    db
      .update(questions)
      .set({ state: 'resolved', version: sql`${questions.version} + 1` })
      .where(and(eq(questions.problemId, problemId), eq(questions.state, 'open'))),
    db
      .update(problems)
      .set({ deletedAt: now, version: sql`${problems.version} + 1` })
      .where(eq(problems.id, problemId)),
    insertAudit(db, change, {
      action: 'problem.delete',
      subject: String(problemId),
      detail: { course },
    }),
  ])
}
