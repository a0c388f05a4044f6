/** The marks of a student as the student sees them. */
import type { ExplainedMark, OwnMarks } from '#contract/gradebook'
import type { CourseStanding } from '../../db/standing.ts'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Change } from '../../http/change.ts'
import { seesColumn, toGroup, type ColumnRow } from './columns-queries.ts'
import { Explainer } from './explain.ts'
import { selectExplained, selectShown, type ShownRow, type Student } from './explain-queries.ts'

/**
 * The marks that a student sees. What is hidden from the student changes nothing here.
 * @param change the look, which the audit log keeps unless it is the student's own
 */
export async function getOwnMarks(
  db: Db,
  course: CourseStanding,
  student: Student,
  change: Change,
): Promise<OwnMarks> {
  const { now, actor } = change
  const isOwn = actor.id === student.id
  // Staff who may not see totals do not see them here, either.
  const seesTotal = (total: ColumnRow) => isOwn || seesColumn(course.standing, total)
  const isNamed = visibleTo('student', student.id, now)
  const selects = [
    selectShown(db, course.id, student.id, now),
    ...selectExplained(db, course.id, [student.id], isNamed),
  ] as const
  const [shown, columns, groups, problems, marks, given, settings, questions] = await (isOwn
    ? db.batch(selects)
    : db.batch([
        ...selects,
        insertAudit(db, change, {
          action: 'marks.view',
          subject: course.name,
          detail: { course: course.name, username: student.username },
        }),
      ]))
  return toOwnMarks(
    new Explainer([columns, groups, problems, marks, given, settings, questions], course.timeZone),
    shown,
    student,
    { now, seesTotal },
  )
}

/** A mark without the points for problems that it no longer has, because they are hidden, deleted or taken out of the homework. */
function withSeenPoints(mark: ExplainedMark): ExplainedMark {
  const seen = new Set(mark.derivation?.problems.map(({ problemId }) => problemId))
  const given = mark.given.filter(({ problemId }) => problemId === null || seen.has(problemId))
  return { ...mark, given }
}

/** Rows → contract. */
function toOwnMarks(
  explainer: Explainer,
  shown: readonly ShownRow[],
  student: Student,
  { now, seesTotal }: { now: number; seesTotal: (total: ColumnRow) => boolean },
): OwnMarks {
  const byColumn = new Map(shown.map((row) => [row.columnId, row]))
  const hasOpened = (columnId: number) => {
    const opens = byColumn.get(columnId)?.opens
    return opens == null || opens <= now
  }
  const isShown = (columnId: number) => Boolean(byColumn.get(columnId)?.isShown)
  const isVisible = (columnId: number) => isShown(columnId) && hasOpened(columnId)
  const reader = { isVisible, seesTotal: isShown(explainer.total.id) && seesTotal(explainer.total) }
  const hidden = explainer.columns.filter(({ id }) => hasOpened(id) && !isShown(id))
  const { id, ...user } = student
  const partial = hidden.some(({ groupId }) => explainer.groups.length === 0 || groupId !== null)
  return {
    user,
    marks: explainer.explain(student, reader, partial).map(withSeenPoints),
    groups: explainer.groups.map(toGroup),
    total: reader.seesTotal
      ? {
          outOf: explainer.rule.outOf === null ? null : explainer.rule.outOf / 100,
          decimals: explainer.rule.decimals,
          max: explainer.max / 100,
        }
      : null,
    reachable: reader.seesTotal
      ? explainer.reachableFor(id, reader, (column) => {
          const mark = explainer.markOf(column.id, id)
          if (column.kind === 'manual') return mark === undefined
          return !mark?.derivation?.isSet && (byColumn.get(column.id)?.closes ?? 0) >= now
        })
      : null,
    // A student need not know of a column that staff fill before its marks are shown.
    hidden: hidden.filter(({ kind }) => kind === 'homework').map(({ name }) => name),
  }
}
