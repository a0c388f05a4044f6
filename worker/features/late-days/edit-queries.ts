/** Writes the late days of a course, and how many a student wants to use. */
import { eq, sql } from 'drizzle-orm'
import type { LateDayBudgets, LateDays } from '#contract/late-days'
import { can } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { demandCurrent, whileOvertaken } from '../../db/edits.ts'
import { askedLateDays, courses, homeworks, lateDayBudgets } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { GradebookReader, selectUnshown } from '../homeworks/gradebook-queries.ts'
import { progressFor, withItsBudget, type HomeworkAccess } from '../homeworks/queries.ts'
import type { Reading } from '../homeworks/reading-queries.ts'
import { readSpending, selectSpending } from '../homeworks/spending-queries.ts'

/** Replaces the budgets of a course. No mark is kept: it is an edit of the homeworks' rules. */
export async function replaceBudgets(
  db: Db,
  course: CourseStanding,
  { budgets }: LateDayBudgets,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  if (new Set(budgets.map(({ name }) => name)).size < budgets.length)
    throw new AppError('budget_exists')
  const { id, name, courseId } = lateDayBudgets
  const named = sql`select b.value ->> 'name' as budget, h.value as id
    from json_each(${JSON.stringify(budgets)}) b, json_each(b.value, '$.homeworkIds') h`
  const ofCourse = sql`select ${homeworks.id} from ${homeworks} where ${homeworks.courseId} = ${course.id}`
  const unknown = sql`select id from (${named}) where id not in (${ofCourse})`
  const field = (key: keyof LateDayBudgets['budgets'][number]) => sql`value ->> ${key}`
  await db.batch([
    demandCurrent(db, courses, course.id, basedOn),
    demand(
      db,
      'homework_not_found',
      sql`not exists (${unknown})`,
      sql`json_object('unknown', (select json_group_array(id) from (${unknown})))`,
    ),
    // A budget that somebody else has deleted.
    demand(
      db,
      'stale_edit',
      sql`not exists (select 1 from json_each(${JSON.stringify(budgets)}) where ${field('id')} is not null
        and ${field('id')} not in (select ${id} from ${lateDayBudgets} where ${courseId} = ${course.id}))`,
    ),
    db
      .update(homeworks)
      // `updatedAt` stays: no date has changed.
      .set({ version: sql`${homeworks.version} + 1` })
      .where(
        sql`${homeworks.courseId} = ${course.id}
          and (${homeworks.budgetId} is not null or ${homeworks.id} in (select id from (${named})))`,
      ),
    // All rows are made anew, so that budgets may swap their names. Those that stay keep their ids.
    db.delete(lateDayBudgets).where(eq(courseId, course.id)),
    insertSelect(
      db,
      lateDayBudgets,
      {
        id: field('id'),
        courseId: course.id,
        name: field('name'),
        size: field('size'),
        mostEach: field('mostEach'),
        spending: field('spending'),
        movesClosing: field('movesClosing'),
      },
      sql`from json_each(${JSON.stringify(budgets)})`,
    ),
    db
      .update(homeworks)
      .set({
        budgetId: sql`(select ${id} from ${lateDayBudgets} join (${named}) w on w.budget = ${name}
          where w.id = ${homeworks.id} and ${courseId} = ${course.id})`,
      })
      .where(sql`${homeworks.id} in (select id from (${named}))`),
    db
      .update(courses)
      .set({ version: sql`${courses.version} + 1` })
      .where(eq(courses.id, course.id)),
    insertAudit(db, change, {
      action: 'course.late_days',
      subject: course.name,
      detail: { budgets: budgets.length },
    }),
  ])
}

/** The statement that demands that what a student asked for in a budget is still as it was read. */
function demandAsRead(
  db: Db,
  { homeworkId, budgetId }: HomeworkAccess,
  userId: number,
  read: readonly { homeworkId: string; days: number }[],
) {
  const inOrder = read.toSorted((left, right) => (left.homeworkId < right.homeworkId ? -1 : 1))
  const asked = sql`select ${askedLateDays.homeworkId} as id, ${askedLateDays.days} as days from ${askedLateDays}
    join ${homeworks} on ${homeworks.id} = ${askedLateDays.homeworkId} and ${homeworks.budgetId} = ${budgetId}
    where ${askedLateDays.userId} = ${userId} order by id`
  return demand(
    db,
    'stale_edit',
    sql`exists (select 1 from ${homeworks} where ${homeworks.id} = ${homeworkId} and ${homeworks.budgetId} = ${budgetId})
      and (select json_group_array(json_array(id, days)) from (${asked}))
        = ${JSON.stringify(inOrder.map((row) => [row.homeworkId, row.days]))}`,
  )
}

/** Stores how many late days a student wants to use, if there are so many. @throws Refusal `stale_edit` if another wish came in between */
async function tryAsking(
  db: Db,
  access: HomeworkAccess,
  days: number,
  { actor, now }: Change,
): Promise<LateDays> {
  const { homeworkId, budgetId } = access
  const which = withItsBudget(access)
  const progress = progressFor('student', actor)
  const reading: Reading = { standing: 'student', user: actor, which, progress, now }
  const [unshown, ...read] = await db.batch([
    selectUnshown(db, reading),
    ...selectSpending(db, reading),
  ])
  const gradebook = new GradebookReader([], unshown)
  const { rows, asked, lateDays, lateDaysIf } = await readSpending(db, reading, read)
  const homework = rows.find(({ id }) => id === homeworkId)
  if (!homework) throw new AppError('homework_not_found')
  const own = gradebook.shownDays(homeworkId, actor.id, lateDays.lateDaysOf(homework, actor.id))
  if (own === null || homework.rule.spending !== 'asked') throw new AppError('no_late_days')
  if (own.asked === days) return own
  const isOpen = (row: typeof homework) => now <= lateDays.ownDatesOf(row, actor.id).closes
  // A homework that is open may still use all the days asked for; one that has closed uses what it uses.
  const reserved = rows
    .filter((row) => row.id !== homeworkId && row.budgetId === budgetId)
    .map((row) => (isOpen(row) ? lateDays.mostOf(row, actor.id) : lateDays.daysOf(row, actor.id)))
    .reduce((sum, each) => sum + each, days)
  const { mostEach, size } = homework.rule
  const isTooMany = days > own.asked && (days > mostEach || reserved > size)
  if (isTooMany || !isOpen(homework)) throw new AppError('no_late_days')
  await db.batch([
    demandAsRead(db, access, actor.id, asked),
    insertSelect(
      db,
      askedLateDays,
      { homeworkId, userId: actor.id, days, askedAt: now },
      sql`where true ${onConflictUpdate(
        askedLateDays,
        [askedLateDays.homeworkId, askedLateDays.userId],
        { days: excluded(askedLateDays.days), askedAt: excluded(askedLateDays.askedAt) },
      )}`,
    ),
  ])
  const said = asked.filter((row) => row.homeworkId !== homeworkId)
  const after = lateDaysIf([...said, { homeworkId, userId: actor.id, days }])
  return gradebook.shownDays(homeworkId, actor.id, after.lateDaysOf(homework, actor.id)) ?? own
}

/**
 * Says how many late days a student wants to use in a homework. The same wish again changes nothing.
 * @throws AppError `no_late_days` if the homework has closed for the student, or if the other homeworks leave too few days
 */
export async function askLateDays(
  db: Db,
  access: HomeworkAccess,
  days: number,
  change: Change,
): Promise<LateDays> {
  if (!can(access.standing, 'scoreboard.appear')) throw new AppError('forbidden')
  return whileOvertaken(() => tryAsking(db, access, days, change))
}
