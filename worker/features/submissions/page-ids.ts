/**
 * The ids of a page of submissions, by keyset. A list of a course or problem is one to three ranges of one index
 * (`listIndexes` in the schema), merged by id: a page costs the same for any size of the table. Any other looks through
 * the newest submissions of a person, of those that are pending, or of the judge, up to a bound. An index for each
 * of those would be a row written for every submission.
 */
import { and, sql, type SQL } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { LANGUAGES } from '#contract/languages'
import { COUNT_LIMITS } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { courses, problems, submissions, users } from '../../db/schema.ts'
import { literal } from '../../db/statements.ts'

/** The filter of a list. `userId` limits it to one person; null: to nobody. */
export interface SubmissionFilter {
  courseId: number | null
  problemId?: number | undefined
  userId: number | null
  username?: string | undefined
  status?: number | undefined
  languageType?: number | undefined
  /** Only ids below. */
  before?: string | undefined
  offset: number
  limit: number
}

/** The table, or those of it that a list looks through. */
interface Submissions extends Record<'courseId' | 'problemId' | 'status', SQLiteColumn> {}

const newest = alias(submissions, 'newest')

/** Where a list looks: in a problem, which must be of the course when both are given; in a course; or everywhere. */
function scopeOf({ problemId, courseId }: SubmissionFilter, of: Submissions = submissions) {
  if (problemId !== undefined && courseId !== null)
    return {
      name: 'problem',
      is: sql`${of.problemId} = (select ${problems.id} from ${problems} where ${problems.id} = ${problemId} and ${problems.courseId} = ${courseId})`,
    }
  if (problemId !== undefined) return { name: 'problem', is: sql`${of.problemId} = ${problemId}` }
  if (courseId !== null) return { name: 'course', is: sql`${of.courseId} = ${courseId}` }
  return undefined
}

/** The condition that a submission is of the list's person, by id, by name, or both, which must then agree. */
function ofPerson({ userId, username }: SubmissionFilter): SQL | undefined {
  if (username !== undefined)
    return sql`${submissions.userId} = (select ${users.id} from ${users} where ${users.usernameKey} = ${username.toLowerCase()}
      and ${userId === null ? sql`1` : sql`${users.id} = ${userId}`})`
  return userId === null ? undefined : sql`${submissions.userId} = ${userId}`
}

const isBefore = ({ before }: SubmissionFilter): SQL | undefined =>
  before === undefined ? undefined : sql`${submissions.id} < ${before}`

/** The condition that the submission's course is not deleted; for a list of one course its guard has asked. */
const isLive = ({ courseId }: SubmissionFilter, of: Submissions): SQL | undefined =>
  courseId === null
    ? sql`not exists (select 1 from ${courses} where ${courses.id} = ${of.courseId} and ${courses.deletedAt} is not null)`
    : undefined

/** The status asked for, written into the statement: partial indexes need it so. Without one all but those without code. */
const hasStatus = ({ status }: SubmissionFilter, of: Submissions): SQL =>
  status === undefined
    ? sql`${of.status} <> ${literal(STATUS.CLAIMED)}`
    : sql`${of.status} = ${literal(status)}`

/** Of a course or problem: a range of its index for each language. */
function selectMerged(filter: SubmissionFilter, scope: { name: string; is: SQL }): SQL {
  const { status, languageType, limit, offset } = filter
  const index = sql.raw(`submissions_by_${scope.name}${status === undefined ? '' : '_status'}`)
  const conditions = and(
    scope.is,
    status === undefined ? undefined : sql`${submissions.status} >= 0`,
    hasStatus(filter, submissions),
    isBefore(filter),
    isLive(filter, submissions),
  )
  const languages = languageType === undefined ? LANGUAGES.map(({ code }) => code) : [languageType]
  const ranges = languages.map(
    (code) => sql`select ${submissions.id} from ${submissions} indexed by ${index}
      where ${conditions} and ${submissions.languageType} = ${code}`,
  )
  return sql`${sql.join(ranges, sql` union all `)} order by id desc limit ${limit + 1} offset ${offset}`
}

/** Among the newest in a range of an index. SQLite reads those in their order and stops when the page is full. */
function selectAmongNewest(filter: SubmissionFilter, range: SQL | undefined): SQL {
  const { languageType, limit, offset } = filter
  const { id, courseId, problemId, status, languageType: language } = submissions
  const wanted = and(
    hasStatus(filter, newest),
    scopeOf(filter, newest)?.is,
    languageType === undefined ? undefined : sql`${newest.languageType} = ${languageType}`,
    isLive(filter, newest),
  )
  return sql`select ${newest.id} from (select ${id}, ${courseId}, ${problemId}, ${status}, ${language}
      from ${submissions} where ${and(range, isBefore(filter)) ?? sql`true`}
      order by ${id} desc limit ${literal(COUNT_LIMITS.filteredSubmissions)}) ${newest}
    where ${wanted} limit ${limit + 1} offset ${offset}`
}

/** The select of a page's ids, newest first, one more than `limit`. */
export function selectPageIds(filter: SubmissionFilter): SQL {
  const scope = scopeOf(filter)
  const person = ofPerson(filter)
  if (person)
    return selectAmongNewest(filter, and(person, scope?.name === 'problem' ? scope.is : undefined))
  if (filter.status === STATUS.PENDING)
    return selectAmongNewest(filter, hasStatus(filter, submissions))
  return scope ? selectMerged(filter, scope) : selectAmongNewest(filter, undefined)
}
