/**
 * The ids of a page of submissions, by keyset. A list of a course or problem is a range of one index for each language
 * (`listIndexes` in the schema), merged by id: a page costs the same for any size of the table. Any other list searches, up to a
 * bound, the newest submissions of a person, the newest pending submissions or the newest of all, and a list of the people with a
 * label the newest of its course or problem; the next page goes on from there.
 * An index for each list of these other kinds would cost another written row for every submission.
 */
import { and, sql, type SQL } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { LANGUAGES } from '#contract/languages'
import { COUNT_LIMITS } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { courses, problems, submissions, users } from '../../db/schema.ts'
import { hasLabel } from '../../db/label-filter.ts'
import { inlineNumber } from '../../db/statements.ts'

/** The filter of a list. `userId` limits it to one person; null: no limit. */
export interface SubmissionFilter {
  courseId: number | null
  problemId?: number | undefined
  userId: number | null
  username?: string | undefined
  /** Only of people with this label in the submission's course. */
  label?: number | undefined
  status?: number | undefined
  languageType?: number | undefined
  /** Only submissions with lower ids. */
  before?: string | undefined
  offset: number
  limit: number
}

/** The table of submissions, or those of its rows that a list searches. */
interface Submissions extends Record<'courseId' | 'problemId' | 'status', SQLiteColumn> {}

const newest = alias(submissions, 'newest')

interface Scope {
  name: 'problem' | 'course'
  is: SQL
}

/** The scope of a list: a problem, which must be of the course if both are given; a course; or undefined for everything. */
function scopeOf(
  { problemId, courseId }: SubmissionFilter,
  of: Submissions = submissions,
): Scope | undefined {
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

/** The condition that the submission's course is not deleted; the guard of a course's list has checked that. */
const isLive = ({ courseId }: SubmissionFilter, of: Submissions): SQL | undefined =>
  courseId === null
    ? sql`not exists (select 1 from ${courses} where ${courses.id} = ${of.courseId} and ${courses.deletedAt} is not null)`
    : undefined

/** The condition for the status; it is part of the SQL text, as partial indexes need it. Without a status: all that have code. */
const hasStatus = ({ status }: SubmissionFilter, of: Submissions): SQL =>
  status === undefined
    ? sql`${of.status} <> ${inlineNumber(STATUS.CLAIMED)}`
    : sql`${of.status} = ${inlineNumber(status)}`

/** D1's bound for the terms of a compound select. */
const MOST_TERMS = 5

/** Merges selects of ids, each in the order of an index. If there are more than `MOST_TERMS`, it first merges groups of them. */
function mergeById(selects: readonly SQL[], limit: number, offset = 0): SQL {
  if (selects.length <= MOST_TERMS)
    return sql`${sql.join([...selects], sql` union all `)} order by id desc limit ${limit} offset ${offset}`
  const groups = Map.groupBy(selects, (_, index) => Math.floor(index / MOST_TERMS))
  const merged = [...groups.values()].map(
    (group) => sql`select id from (${mergeById(group, limit + offset)})`,
  )
  return mergeById(merged, limit, offset)
}

/** The page of a course or problem, from a range of its index for each language. */
function selectMerged(
  filter: SubmissionFilter,
  scope: Scope,
  codes: readonly number[] = LANGUAGES.map(({ code }) => code),
): SQL {
  const { status, languageType, limit, offset } = filter
  const index = sql.raw(`submissions_by_${scope.name}${status === undefined ? '' : '_status'}`)
  const conditions = and(
    scope.is,
    status === undefined ? undefined : sql`${submissions.status} >= 0`,
    hasStatus(filter, submissions),
    isBefore(filter),
    isLive(filter, submissions),
  )
  const ranges = (languageType === undefined ? codes : [languageType]).map(
    (code) => sql`select ${submissions.id} from ${submissions} indexed by ${index}
      where ${conditions} and ${submissions.languageType} = ${code}`,
  )
  return mergeById(ranges, limit + 1, offset)
}

/** The newest submissions of a course or problem, as many as a list looks through for one page. */
function selectNewestOf(filter: SubmissionFilter, scope: Scope, codes?: readonly number[]): SQL {
  const page = { ...filter, limit: COUNT_LIMITS.filteredSubmissions - 1, offset: 0 }
  return selectMerged(page, scope, codes)
}

/** The page of a course or problem with the submissions of people with a label. SQLite reads no more of them than the page needs. */
function selectLabelled(filter: SubmissionFilter, scope: Scope, codes?: readonly number[]): SQL {
  const { label, limit, offset } = filter
  const { id, userId, courseId } = submissions
  return sql`select ${id} from (${selectNewestOf(filter, scope, codes)}) newest
    cross join ${submissions} on ${id} = newest.id
    where ${hasLabel(label, userId, courseId)} limit ${limit + 1} offset ${offset}`
}

/** The page from the newest rows in a range of an index. SQLite reads them in their order and stops when the page is full. */
function selectAmongNewest(filter: SubmissionFilter, range: SQL): SQL {
  const { label, languageType, limit, offset } = filter
  const { id, courseId, problemId, userId, status, languageType: language } = submissions
  const wanted = and(
    hasStatus(filter, newest),
    scopeOf(filter, newest)?.is,
    languageType === undefined ? undefined : sql`${newest.languageType} = ${languageType}`,
    hasLabel(label, newest.userId, newest.courseId),
    isLive(filter, newest),
  )
  return sql`select ${newest.id} from (select ${id}, ${courseId}, ${problemId}, ${userId}, ${status}, ${language}
      from ${submissions} where ${range}
      order by ${id} desc limit ${inlineNumber(COUNT_LIMITS.filteredSubmissions)}) ${newest}
    where ${wanted} limit ${limit + 1} offset ${offset}`
}

/** The scope if its index has the page; otherwise the range whose newest rows are searched. */
function searchOf(filter: SubmissionFilter): { scope: Scope } | { range: SQL } {
  const scope = scopeOf(filter)
  const person = ofPerson(filter)
  const isOnProblem = scope?.name === 'problem' ? scope.is : undefined
  const range = (...is: (SQL | undefined)[]) => ({
    range: and(...is, isBefore(filter)) ?? sql`true`,
  })
  if (person) return range(person, isOnProblem)
  if (filter.status === STATUS.PENDING) return range(hasStatus(filter, submissions))
  return scope ? { scope } : range()
}

/** The select of a page's ids, newest first, one more than `limit`. `codes`: the codes of all languages. */
export function selectPageIds(filter: SubmissionFilter, codes?: readonly number[]): SQL {
  const search = searchOf(filter)
  if ('range' in search) return selectAmongNewest(filter, search.range)
  const select = filter.label === undefined ? selectMerged : selectLabelled
  return select(filter, search.scope, codes)
}

/** The select of the id at which the search for a page stopped before the page was full; null if no older row is left. */
export function selectStop(filter: SubmissionFilter): SQL {
  const search = searchOf(filter)
  if ('scope' in search && filter.label === undefined) return sql`select null as id`
  const offset = inlineNumber(COUNT_LIMITS.filteredSubmissions - 1)
  const last =
    'scope' in search
      ? sql`select id from (${selectNewestOf(filter, search.scope)}) limit 1 offset ${offset}`
      : sql`select ${submissions.id} from ${submissions} where ${search.range}
        order by ${submissions.id} desc limit 1 offset ${offset}`
  return sql`select case when (select count(*) from (${selectPageIds(filter)})) <= ${filter.limit} then (${last}) end as id`
}
