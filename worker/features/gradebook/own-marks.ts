/** The marks of a student as the student sees them. */
import type { OwnMarks } from '#contract/gradebook'
import type { CourseStanding } from '../../db/standing.ts'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Change } from '../../http/change.ts'
import { Explainer } from './explain.ts'
import {
  hasStaleMarks,
  selectExplained,
  selectShown,
  type ShownRow,
  type Student,
} from './explain-queries.ts'
import { refreshMarks } from './refresh.ts'

/** Computes a person's marks in a course anew if they are stale, so that a page about them is right at once. */
export async function refreshStale(db: Db, courseId: number, userId: number, now: number) {
  if (await hasStaleMarks(db, courseId, userId)) await refreshMarks(db, courseId, [userId], now)
}

/**
 * The marks that a student sees. What is hidden from the student changes nothing here but the total itself.
 * @param change the look, which the audit log keeps unless it is the student's own
 */
export async function getOwnMarks(
  db: Db,
  course: CourseStanding,
  student: Student,
  change: Change,
): Promise<OwnMarks> {
  const { now, actor } = change
  await refreshStale(db, course.id, student.id, now)
  const isNamed = visibleTo('student', student.id, now)
  const selects = [
    selectShown(db, course.id, student.id, now),
    ...selectExplained(db, course.id, [student.id], isNamed),
  ] as const
  const [shown, columns, groups, problems, marks, given, settings, questions] = await (actor.id ===
  student.id
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
    now,
  )
}

/** Rows → contract. */
function toOwnMarks(
  explainer: Explainer,
  shown: readonly ShownRow[],
  student: Student,
  now: number,
): OwnMarks {
  const byColumn = new Map(shown.map((row) => [row.columnId, row]))
  const hasOpened = (columnId: number) => {
    const opens = byColumn.get(columnId)?.opens
    return opens == null || opens <= now
  }
  const isShown = (columnId: number) => Boolean(byColumn.get(columnId)?.isShown)
  const isVisible = (columnId: number) => isShown(columnId) && hasOpened(columnId)
  const reader = { isVisible, seesTotal: isShown(explainer.total.id) }
  const hidden = explainer.columns.filter(({ id }) => hasOpened(id) && !isShown(id))
  const { id, ...user } = student
  const partial = hidden.some(({ groupId }) => explainer.groups.length === 0 || groupId !== null)
  return {
    user,
    marks: explainer.explain(student, reader, partial),
    groups: explainer.groups.map((group) => ({
      id: group.id,
      name: group.name,
      weight: group.weight === null ? null : group.weight / 100,
      dropLowest: group.dropLowest,
      capPercent: group.capPercent,
      extra: group.isExtra,
    })),
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
