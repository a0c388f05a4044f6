import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { COUNT_LIMITS } from '#contract/limits'
import { newHexId } from '../../../worker/lib/ids.ts'
import { openDb } from '../../../worker/db/client.ts'
import {
  selectPageIds,
  selectStop,
  type SubmissionFilter,
} from '../../../worker/features/submissions/page-ids.ts'
import { rawQuery } from '../../../worker/db/client.ts'
import { firstRow, queryPlan, runSql } from '../support/sql.ts'
import { addMember, createPerson, createProblem, submit, type Person } from '../support/world.ts'

interface World {
  course: string
  teacher: Person
  ta: Person
  student: Person
  problemId: number
  courseId: number
}

let world: World
let other: Person

/** Adds submissions that no host will judge, one millisecond apart, oldest first. */
async function insertSubmissions(
  count: number,
  row: { userId: number; status: number; languageType: number },
  startMs: number,
): Promise<void> {
  const ids = JSON.stringify(Array.from({ length: count }, (_, index) => newHexId(startMs + index)))
  await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, score, quota_used, ip, created_at)
      select value, ${world.problemId}, ${world.courseId}, ${row.userId}, ${row.languageType}, ${row.status}, 0, 0, '192.0.2.1', 1700000000 from json_each(${ids})`
}

/** Rows read for one page of a list. */
async function rowsRead(filter: SubmissionFilter): Promise<number> {
  let rows = 0
  for (const { sql, params } of toStatements(filter)) {
    const result = await env.DB.prepare(sql)
      .bind(...params)
      .run()
    rows += result.meta.rows_read
  }
  return rows
}

/** The statements of a page, as D1 gets them: for its ids, and for the position where it stopped looking. */
function toStatements(filter: SubmissionFilter) {
  return [selectPageIds(filter), selectStop(filter)].map((select) =>
    rawQuery(openDb(env.DB), select).getQuery(),
  )
}

/** Reads all pages of a list; answers their number and their ids. */
async function walk(as: Person, query: string): Promise<{ pages: number; ids: string[] }> {
  const ids: string[] = []
  let pages = 0
  for (let next = ''; ; pages += 1) {
    const { data } = await as.get(`/submission?${query}${next && `&cursor=${next}`}`)
    ids.push(...data.submissions.map((row: { submissionId: string }) => row.submissionId))
    if (data.next === null) return { pages: pages + 1, ids }
    next = data.next
  }
}

/** Every combination of filters; the rare verdict and the rare language occur once, long ago. */
function allFilters(): SubmissionFilter[] {
  const page = { offset: 0, limit: 20 }
  const filters = [
    { courseId: null },
    { courseId: world.courseId },
    { courseId: null, problemId: world.problemId },
    { courseId: world.courseId, problemId: world.problemId },
  ]
  const people = [
    { userId: null },
    { userId: world.student.id },
    { userId: null, username: world.student.username },
    { userId: world.student.id, username: world.student.username.toUpperCase() },
    { userId: null, label: 1 },
    { userId: world.student.id, label: 1 },
  ]
  return filters.flatMap((filter) =>
    people.flatMap((person) =>
      [undefined, 1, 5].flatMap((status) =>
        [undefined, 0, 2].flatMap((languageType) =>
          [undefined, 'f'.repeat(24)].map((before) => ({
            ...filter,
            ...person,
            status,
            languageType,
            before,
            ...page,
          })),
        ),
      ),
    ),
  )
}

beforeAll(async () => {
  const made = await createProblem()
  const row = await firstRow<{ id: number }>`select id from courses where name = ${made.course}`
  world = { ...made, courseId: row?.id ?? 0 }
  other = await createPerson(2)
  await addMember(made, other)
  const start = Date.now() - 10_000_000
  await insertSubmissions(1, { userId: made.student.id, status: 5, languageType: 2 }, start)
  await insertSubmissions(
    400,
    { userId: made.student.id, status: 1, languageType: 0 },
    start + 1000,
  )
  await insertSubmissions(100, { userId: other.id, status: 0, languageType: 1 }, start + 500_000)
})

describe('GET /submission', () => {
  test('every combination of filters is ranges of one index, without a sort', async () => {
    for (const filter of allFilters())
      for (const { sql, params } of toStatements(filter)) {
        const steps = await queryPlan(sql, ...params)
        const name = JSON.stringify(filter)
        expect(steps.join('\n'), name).not.toMatch(
          /TEMP B-TREE|SCAN (?!newest|CONSTANT ROW|\(subquery|submissions USING (COVERING )?INDEX)/,
        )
      }
  })

  test('a page of more languages than a compound select has terms is the newest of all', async () => {
    const made = await createProblem()
    const { problemId } = made
    const ids: string[] = []
    for (let index = 0; index < 40; index += 1) {
      const id = newHexId(Date.now() + index)
      ids.unshift(id)
      await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, score, quota_used, ip, created_at)
          select ${id}, id, course_id, ${made.student.id}, ${index % 7}, 0, 0, 0, '192.0.2.1', 1700000000 from problems where id = ${problemId}`
    }
    const filter = { courseId: null, userId: null, problemId, offset: 5, limit: 10 }
    const select = rawQuery(openDb(env.DB), selectPageIds(filter, [0, 1, 2, 3, 4, 5, 6])).getQuery()
    const { results, meta } = await env.DB.prepare(select.sql)
      .bind(...select.params)
      .run<{ id: string }>()
    expect(results.map(({ id }) => id)).toEqual(ids.slice(5, 16))
    // The query reads only a page of each of the two groups, and then merges them.
    expect(meta.rows_read).toBeLessThan(120)
  })

  test('ten times the submissions cost a page no more rows than it looks through', async () => {
    const filters = allFilters()
    const before: number[] = []
    for (const filter of filters) before.push(await rowsRead(filter))
    await insertSubmissions(
      COUNT_LIMITS.filteredSubmissions + 1_000,
      { userId: world.student.id, status: 1, languageType: 0 },
      Date.now() - 7_000_000,
    )
    for (const [index, filter] of filters.entries()) {
      const isExact =
        filter.userId === null &&
        !filter.username &&
        filter.label === undefined &&
        (filter.courseId !== null || filter.problemId !== undefined)
      const most = isExact ? (before[index] ?? 0) * 1.1 : 10 * COUNT_LIMITS.filteredSubmissions
      expect(await rowsRead(filter), JSON.stringify(filter)).toBeLessThanOrEqual(most)
    }
  })

  test('a page that has looked through the newest says how far back, and the next ones find what is behind', async () => {
    const path = `course=${world.course}&username=${world.student.username}&status=5`
    const { data } = await world.teacher.get(`/submission?${path}`)
    expect(data).toMatchObject({ submissions: [], next: expect.any(String) })
    expect(data.searchedTo).toBeLessThan(Date.now() / 1000 - 6_900)
    const found = await walk(world.teacher, path)
    expect(found).toMatchObject({ pages: 2, ids: [expect.any(String)] })
  })

  test('a list that stops in the middle of a page goes on without gap or repetition', async () => {
    await insertSubmissions(
      3,
      { userId: world.student.id, status: 5, languageType: 0 },
      Date.now() - 1_000_000,
    )
    const path = `course=${world.course}&username=${world.student.username}&status=5`
    const { pages, ids } = await walk(world.teacher, path)
    expect([pages, ids.length]).toEqual([2, 4])
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed())
  })

  test('what is pending in a course is found behind a rush in another one', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const id = await submit(student, problemId)
    await insertSubmissions(
      COUNT_LIMITS.filteredSubmissions + 10,
      { userId: other.id, status: -1, languageType: 0 },
      Date.now() + 1_000,
    )
    const found = await walk(teacher, `course=${course}&status=-1`)
    await runSql`delete from submissions where user_id = ${other.id} and status = -1`
    expect(found).toEqual({ pages: 2, ids: [id] })
  })

  test('what is pending is found among many others', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const id = await submit(student, problemId)
    for (const as of [teacher, student])
      for (const query of [`course=${course}`, `problemId=${problemId}`]) {
        const found = await as.get(`/submission?${query}&status=-1&languageType=0`)
        expect(found.data.submissions).toMatchObject([{ submissionId: id, status: -1 }])
      }
  })

  test('a rare verdict in a rare language is found among many others', async () => {
    const found = await world.ta.get(`/submission?course=${world.course}&status=5&languageType=2`)
    expect(found.data.submissions).toHaveLength(1)
    expect(found.data.submissions[0]).toMatchObject({ status: 5, languageType: 2 })
  })

  test('pages follow one another by cursor, newest first, without gap or repetition', async () => {
    const seen: string[] = []
    let next: string | null = ''
    while (next !== null && seen.length < 300) {
      const query: string = `course=${world.course}&username=${other.username}&limit=30`
      const page = await world.teacher.get(`/submission?${query}${next && `&cursor=${next}`}`)
      seen.push(...page.data.submissions.map((row: { submissionId: string }) => row.submissionId))
      next = page.data.next
    }
    expect(seen).toHaveLength(100)
    expect(seen).toEqual([...new Set(seen)].toSorted().toReversed())
  })

  test('the older offset and count page through the same list', async () => {
    const path = `/submission?course=${world.course}&username=${other.username}`
    const whole = await world.ta.get(`${path}&limit=50`)
    const part = await world.ta.get(`${path}&offset=10&count=5`)
    expect(part.data.submissions).toEqual(whole.data.submissions.slice(10, 15))
    const all = await world.ta.get(`/submission?course=${world.course}&limit=20`)
    const later = await world.ta.get(`/submission?course=${world.course}&offset=7&count=4`)
    expect(later.data.submissions).toEqual(all.data.submissions.slice(7, 11))
  })

  test('a student’s filters never reach beyond their own', async () => {
    const path = `/submission?course=${world.course}`
    const mine = await other.get(`${path}&limit=200`)
    expect(new Set(mine.data.submissions.map(usernameOf))).toEqual(new Set([other.username]))
    const foreign = await other.get(`${path}&username=${world.student.username}`)
    expect(foreign.data.submissions).toEqual([])
    const everywhere = await other.get(`/submission?username=${world.student.username}`)
    expect(everywhere.data.submissions).toEqual([])
  })

  test('a person’s or what is pending, of one language, is of that language alone', async () => {
    const { student, ta, course, problemId } = await createProblem()
    const made = [0, 1, 2].map((language) => submit(student, problemId, 'x', language))
    const ids = await Promise.all(made)
    for (const query of [`username=${student.username}`, 'status=-1'])
      for (const [language, id] of ids.entries()) {
        const path = `/submission?course=${course}&${query}&languageType=${language}`
        const { submissions } = (await ta.get(path)).data
        expect(
          submissions.map(({ submissionId }: { submissionId: string }) => submissionId),
          path,
        ).toEqual([id])
      }
  })

  test('a problem of another course gives nothing, a course one is not in is not found', async () => {
    const elsewhere = await createProblem()
    await submit(elsewhere.student, elsewhere.problemId)
    const path = `/submission?course=${world.course}&problemId=${elsewhere.problemId}`
    expect((await world.teacher.get(path)).data.submissions).toEqual([])
    expect((await world.teacher.get(`/submission?course=${elsewhere.course}`)).status).toBe(404)
  })

  test('staff who name only the problem see everyone’s, its students their own', async () => {
    const { teacher, ta, student, problemId } = await createProblem()
    const mine = await submit(student, problemId)
    const theirs = await submit(ta, problemId)
    const list = async (as: Person) =>
      (await as.get(`/submission?problemId=${problemId}`)).data.submissions.map(
        (row: { submissionId: string }) => row.submissionId,
      )
    expect(await list(teacher)).toEqual([theirs, mine])
    expect(await list(student)).toEqual([mine])
    expect(await list(world.teacher)).toEqual([])
  })

  test('what is in a deleted course is in no list, and back when the course is', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const id = await submit(student, problemId)
    const admin = await createPerson(0)
    const lists = async () => {
      const found = []
      for (const as of [student, teacher, admin])
        for (const query of ['', `problemId=${problemId}`, `username=${student.username}`]) {
          const { data } = await as.get(`/submission?limit=5&${query}`)
          found.push(
            data.submissions.some((row: { submissionId: string }) => row.submissionId === id),
          )
        }
      return found
    }
    const before = await lists()
    expect(before.filter(Boolean)).toHaveLength(7)
    expect((await teacher.delete('/course', { course })).status).toBe(200)
    expect((await lists()).filter(Boolean)).toEqual([])
    await teacher.post(`/course/${course}/restore`)
    expect(await lists()).toEqual(before)
  })

  test('a cursor that is none of ours is refused, and SQL in a filter is only text [IV7]', async () => {
    const as = world.ta
    for (const cursor of ['x', 'e30', Buffer.from('"1 or 1=1"').toString('base64url')])
      expect((await as.get(`/submission?cursor=${cursor}`)).status).toBe(400)
    for (const query of ["username=a'%20or%201=1", 'status=1;drop', 'problemId=1%20or%201'])
      expect((await as.get(`/submission?${query}`)).status).toBe(400)
  })
})

/** The username of a list item's submitter. */
function usernameOf(row: { user: { username: string } }): string {
  return row.user.username
}
