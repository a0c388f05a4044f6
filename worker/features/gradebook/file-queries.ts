/** GET /course/:name/gradebook/file: the gradebook as CSV, made in pages. */
import { toCsv, toCsvLines } from '#contract/csv-table'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { can } from '#contract/roles'
import type { Db } from '../../db/client.ts'
import type { SessionUser } from '../../db/sessions.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { AppError } from '../../http/errors.ts'
import { selectLabels } from '../labels/queries.ts'
import {
  maxOfTotal,
  seesColumn,
  selectColumns,
  selectGroups,
  toColumn,
  type ColumnRow,
} from './columns-queries.ts'
import { labelsOf, selectPeople, toCells, type PersonRow } from './page-queries.ts'

/** What is read before the first byte is sent. */
export interface FileStart {
  rows: ColumnRow[]
  head: string[]
  labels: Map<number, string>
  /** Whether there are addresses: those of accounts that the course made, for whoever manages its members. */
  hasEmails: boolean
}

/**
 * Reads the head of the file. A column is named by its name and id, so that it can be found again, with its maximum.
 * @param emails false: no addresses in any case
 * @throws AppError `label_not_found` if the course has no such label
 */
export async function startFile(
  db: Db,
  { id: courseId, standing }: CourseStanding,
  { label, emails = true }: { label?: number | undefined; emails?: boolean } = {},
): Promise<FileStart> {
  const [all, groups, labelled] = await db.batch([
    selectColumns(db, courseId),
    selectGroups(db, courseId),
    selectLabels(db, courseId),
  ])
  const labels = new Map(labelled.map(({ id, name }) => [id, name]))
  if (label !== undefined && !labels.has(label)) throw new AppError('label_not_found')
  const rows = all.filter((row) => seesColumn(standing, row))
  const totalMax = maxOfTotal(all, groups)
  const heads = rows
    .map((row) => toColumn(row, totalMax))
    .map(({ id, kind, name, max }) => `${kind === 'total' ? 'Total' : name} (${id}) [${max}]`)
  const hasEmails = emails && can(standing, 'members.manage')
  const email = hasEmails ? ['email'] : []
  return {
    rows,
    head: ['username', 'displayed name', ...email, 'labels', ...heads],
    labels,
    hasEmails,
  }
}

/** A student's line: points, `EX` where they are excused, nothing where they have no mark. */
function lineOf(
  courseId: number,
  { rows, labels, hasEmails }: FileStart,
  person: PersonRow,
): (string | number | null)[] {
  const { username, displayedName, email, madeInCourseId } = person
  const address = hasEmails ? [madeInCourseId === courseId ? email : null] : []
  const cells = toCells(person, rows).map(([points, state]) =>
    state.includes('e') ? 'EX' : points,
  )
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
  const count = GRADEBOOK_LIMITS.pagePeople
  let after: string | undefined
  let people: PersonRow[]
  do {
    people = await selectPeople(db, course, user, {
      sort: 'name',
      order: 'up',
      label,
      after,
      count,
    })
    after = people.at(-1)?.key
    yield Buffer.from(toCsvLines(people.map((person) => lineOf(course.id, start, person))))
  } while (people.length === count)
}
