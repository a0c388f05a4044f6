/** GET /course/:name/gradebook/file: the gradebook as CSV, made in pages. */
import { toCsv, toCsvLines } from '#contract/csv-table'
import { EXCUSED_TEXT } from '#contract/gradebook'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { can } from '#contract/roles'
import type { Db } from '../../db/client.ts'
import type { SessionUser } from '../../db/sessions.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { AppError } from '../../http/errors.ts'
import { selectLabels } from '../labels/queries.ts'
import { maxOfTotal, seesColumn, toColumn, toTotalRule, type ColumnRow } from './columns-queries.ts'
import { Explainer } from './explain.ts'
import {
  selectColumnsExplained,
  selectPeopleExplained,
  type ExplainedColumns,
} from './explain-queries.ts'
import { labelsOf, selectMarked, toCells, type PersonRow } from './page-queries.ts'

/** Students whose marks are explained at once: a derivation may have 10 KB. */
const EXPLAINED_PEOPLE = 25

/** What is read before the first byte is sent. `explained`: what explains everybody's marks; null where the file explains none. */
export interface FileStart {
  explained: ExplainedColumns | null
  rows: ColumnRow[]
  head: string[]
  labels: Map<number, string>
  /** Whether there are addresses: those of accounts that the course made, for whoever manages its members. */
  hasEmails: boolean
}

/**
 * Reads the head of the file. A column is named by its name and id, so that it can be found again, with its maximum.
 * @param isExplained beside each mark stand the sentences that explain it
 * @param emails false: no addresses in any case
 * @throws AppError `label_not_found` if the course has no such label
 */
export async function startFile(
  db: Db,
  { id: courseId, standing }: CourseStanding,
  {
    label,
    emails = true,
    isExplained = false,
  }: { label?: number | undefined; emails?: boolean; isExplained?: boolean } = {},
): Promise<FileStart> {
  const [labelled, ...read] = await db.batch([
    selectLabels(db, courseId),
    ...selectColumnsExplained(db, courseId),
  ])
  const [all, groups] = read
  const labels = new Map(labelled.map(({ id, name }) => [id, name]))
  if (label !== undefined && !labels.has(label)) throw new AppError('label_not_found')
  const rows = all.filter((row) => seesColumn(standing, row))
  const totalMax = maxOfTotal(all, groups)
  const heads = rows
    .map((row) => toColumn(row, totalMax))
    .flatMap(({ id, kind, name, max }) => {
      const named = `${kind === 'total' ? 'Total' : name} (${id})`
      return [`${named} [${max}]`, ...(isExplained ? [`${named} explained`] : [])]
    })
  const hasEmails = emails && can(standing, 'members.manage')
  const email = hasEmails ? ['email'] : []
  return {
    explained: isExplained ? read : null,
    rows,
    head: ['username', 'displayed name', ...email, 'labels', ...heads],
    labels,
    hasEmails,
  }
}

/** The sentences that explain students' marks: person → column → sentences. */
async function readSentences(
  db: Db,
  { id: courseId, standing, timeZone }: CourseStanding,
  explained: ExplainedColumns,
  people: readonly PersonRow[],
): Promise<Map<number, Map<number, string>>> {
  const ids = people.map(({ id }) => id)
  const read = await db.batch(selectPeopleExplained(db, courseId, ids))
  const explainer = new Explainer([...explained, ...read], timeZone)
  const { total } = toTotalRule(explained[0])
  const reader = { isVisible: () => true, seesTotal: seesColumn(standing, total) }
  return new Map(
    people.map(({ id, username, displayedName, role }) => {
      const own = explainer.explain({ id, username, displayedName, role }, reader, false)
      return [id, new Map(own.map(({ column, sentences }) => [column.id, sentences.join(' ')]))]
    }),
  )
}

/**
 * A student's line: points, `EX` where they are excused, nothing where they have no mark.
 * @param sentences by column, for a file that explains marks
 */
function lineOf(
  courseId: number,
  { rows, labels, hasEmails }: FileStart,
  person: PersonRow,
  sentences?: ReadonlyMap<number, string>,
): (string | number | null)[] {
  const { username, displayedName, email, madeInCourseId } = person
  const address = hasEmails ? [madeInCourseId === courseId ? email : null] : []
  const cells = toCells(person, rows).flatMap(([points, state], index) => {
    const mark = state.includes('e') ? EXCUSED_TEXT : points
    return sentences ? [mark, sentences.get(rows[index]?.id ?? 0) ?? ''] : [mark]
  })
  const own = labelsOf(person).map((id) => labels.get(id) ?? '')
  return [username, displayedName, ...address, own.join('; '), ...cells]
}

/** The file, with the students by name. @param label only those with this label */
export async function* writeFile(
  db: Db,
  course: CourseStanding,
  user: SessionUser,
  start: FileStart,
  label?: number,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(toCsv([start.head]))
  const { explained } = start
  const count = explained ? EXPLAINED_PEOPLE : GRADEBOOK_LIMITS.pagePeople
  let after: string | undefined
  let people: PersonRow[]
  do {
    people = await selectMarked(db, course, user, {
      sort: 'name',
      order: 'up',
      label,
      after,
      count,
    })
    after = people.at(-1)?.key
    const told = explained && (await readSentences(db, course, explained, people))
    const lines = people.map((person) => lineOf(course.id, start, person, told?.get(person.id)))
    yield Buffer.from(toCsvLines(lines))
  } while (people.length === count)
}
