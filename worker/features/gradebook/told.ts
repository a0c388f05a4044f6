/** Tells students that a mark that they see has changed. */
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { ProblemDerivation } from '#contract/mark-derivation'
import type { Db } from '../../db/client.ts'
import { insertNotice } from '../../db/notices.ts'
import {
  gradebookColumns,
  marks,
  notices,
  noticeSettings,
  questions,
  staleMarks,
  type StoredDerivation,
} from '../../db/schema.ts'
import { isMarkShown } from '../../db/shown-marks.ts'

const changed = alias(gradebookColumns, 'changed')

/** A stored mark. */
export type StoredMark = Pick<typeof marks.$inferSelect, 'hundredths' | 'isExcused' | 'derivation'>

const NO_MARK: StoredMark = { hundredths: null, isExcused: false, derivation: null }

/** What staff decide about a mark besides its problems, as text to compare. */
function decisionsOf({ isExcused, derivation }: StoredMark): string {
  const {
    added = null,
    excusedBy = null,
    isSet = false,
  }: Partial<StoredDerivation> = derivation ?? {}
  return JSON.stringify([isExcused, added, excusedBy, isSet])
}

/** Whether a problem's points are those of a submission that is new work since the mark before. */
function isByNewWork(after: ProblemDerivation, before: StoredMark): boolean {
  const settled = before.derivation?.settled[after.problemId] ?? ''
  return !after.isGiven && after.submissionId !== null && after.submissionId > settled
}

/**
 * Whether a change of a homework's mark, or of one that staff fill by hand, rests on the student's own new work alone: each problem whose points
 * changed counts a submission that was not scored before. A problem that the mark did not know is then of staff if `isByRule`, except in the first
 * mark.
 */
function isByStudent(before: StoredMark, after: StoredMark, isByRule: boolean): boolean {
  if (after.derivation === null || after.derivation.isSet) return false
  if (decisionsOf(before) !== decisionsOf(after)) return false
  const [old, now] = [before, after].map(
    ({ derivation }) => new Map(derivation?.problems.map((each) => [each.problemId, each])),
  )
  if (!old || !now) return false
  return [...new Set([...old.keys(), ...now.keys()])].every((id) => {
    const [earlier, later] = [old.get(id), now.get(id)]
    if ((earlier?.hundredths ?? null) === (later?.hundredths ?? null)) return true
    if (later === undefined) return false
    if (earlier === undefined && before.derivation !== null && isByRule) return false
    return isByNewWork(later, before)
  })
}

/**
 * Whether a student who sees a mark of a homework, or one that staff fill by hand, is told of its change: it is another mark, and that does not
 * rest on the student's own new work alone. So a verdict on new work is untold, and so is the first mark that own work gives.
 * @param before the stored mark; null: there was none
 * @param after null: there is none any more
 * @param isByRule whether the homework's problems have changed
 */
export function isTold(
  before: StoredMark | null,
  after: StoredMark | null,
  isByRule = false,
): boolean {
  const [old, now] = [before ?? NO_MARK, after ?? NO_MARK]
  if (old.hundredths === now.hundredths && old.isExcused === now.isExcused) return false
  return !isByStudent(old, now, isByRule)
}

/**
 * Whether a student who sees their total is told of its change: its rule has changed, too. A total that follows a mark is explained by that mark. The
 * first points of a total are no change.
 */
export function isTotalTold(
  before: StoredMark | null,
  after: StoredMark | null,
  isByRule: boolean,
): boolean {
  return isByRule && before !== null && before.hundredths !== null && isTold(before, after)
}

/** A column and the students whose marks in it change. `claim`: that of the refresh which stores the marks. */
interface ChangedColumn {
  courseId: number
  /** The time zone of the course. */
  timeZone: string
  columnId: number
  userIds: readonly number[]
  claim: string
}

/**
 * The statements that tell students of changed marks in a column, for the batch that stores the marks, before it deletes the rows of `stale_marks`.
 * They tell those who see their mark, unless it is stale again, a notice of the same column waits to be seen or mailed, or the same deed answers
 * their question about it. Whoever has no total yet is new in the gradebook: their marks appear, and do not change. Of a total they tell only those
 * who see all their marks: others see another total than the stored one, which may have changed by marks that are not shown to them.
 * @param now epoch seconds
 */
export function tellOfMarks(
  db: Db,
  { courseId, timeZone, columnId, userIds, claim }: ChangedColumn,
  now: number,
) {
  const subjectId = String(columnId)
  const list = JSON.stringify(userIds)
  const userId = sql`${staleMarks.userId}`
  const waits = sql`select 1 from ${notices} left join ${noticeSettings} on ${noticeSettings.userId} = ${notices.userId}
    where ${notices.userId} = ${userId} and ${notices.kind} = 'mark_changed' and ${notices.subjectId} = ${subjectId}
      and ${notices.id} > max(coalesce(${noticeSettings.seenId}, 0), coalesce(${noticeSettings.mailedId}, 0))`
  const total = alias(gradebookColumns, 'total')
  const wasThere = sql`select 1 from ${gradebookColumns} ${total} cross join ${marks}
      on ${marks.userId} = ${userId} and ${marks.columnId} = ${total.id}
    where ${total.courseId} = ${courseId} and ${total.kind} = 'total'`
  const answers = sql`select 1 from ${notices} cross join ${questions} on ${questions.id} = ${notices.subjectId}
    where ${notices.userId} = ${userId} and ${notices.kind} = 'regrade_answered' and ${notices.createdAt} = ${now}
      and ${questions.columnId} = ${columnId}`
  const told = sql`select ${userId} from json_each(${list}) person
    cross join ${staleMarks} on ${staleMarks.columnId} = ${columnId} and ${userId} = person.value
      and ${staleMarks.claim} = ${claim}
    cross join ${gradebookColumns} on ${gradebookColumns.id} = ${columnId}
    where ${isMarkShown(userId, now)} and exists (${wasThere}) and not exists (${waits}) and not exists (${answers})
    except select ${marks.userId} from ${gradebookColumns} ${changed}
    cross join json_each(${list}) person cross join ${marks} on ${marks.userId} = person.value
    cross join ${gradebookColumns} on ${gradebookColumns.id} = ${marks.columnId} and ${gradebookColumns.courseId} = ${courseId}
    where ${changed.id} = ${columnId} and ${changed.kind} = 'total' and not ${isMarkShown(marks.userId, now)}`
  const notice = { courseId, timeZone, subjectId, actorId: null, now, userId: told }
  return insertNotice(db, { ...notice, kind: 'mark_changed' })
}
