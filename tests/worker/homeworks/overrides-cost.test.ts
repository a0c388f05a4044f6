/** Pages read hardly more rows in D1 with overrides or labels of three hundred of a thousand students than with none. */
import { expect, test } from 'vitest'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { allRows, firstValue, numbersBelow, runSql } from '../support/sql.ts'
import { createProblem, problemForm, uniqueName, type Person } from '../support/world.ts'

const STUDENTS = 1_000
const OVERRIDES = 300
/** The most that rows read may grow by the overrides. */
const MORE = 1.2
/** The most rows that an override of one's own may cost on a page. */
const OWN = 30
/** The most rows that dates of a label may cost a page: for one who has it not, and for one who has it. */
const OF_LABEL = { others: 3, own: 60 }

/** A thousand members of a course who have tried each of these problems once. */
async function addClass(course: string, problemIds: number[]): Promise<void> {
  const prefix = uniqueName('many')
  const numbers = numbersBelow(STUDENTS)
  await runSql`insert into users
    (username, username_key, email, displayed_name, bio, password_hash, role, active, created_at)
    select ${prefix} || '-' || value, ${prefix} || '-' || value, '', 'Many', '', '', 2, 1, 1 from json_each(${numbers})`
  await runSql`insert into memberships (course_id, user_id, role, joined_at)
    select courses.id, users.id, 'student', 1 from courses, users
    where courses.name = ${course} and users.username like ${`${prefix}-%`}`
  await runSql`insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score,
      status_counts, quota_since, quota_uses, attempts)
    select p.value, users.id, 1, 1, 60, 60, 60, '[0,1,0,0,0,0,0,0]', 0, 0,
      json_object(printf('%024x', users.id), json_array(${nowSeconds()}, 1, 60))
    from json_each(${JSON.stringify(problemIds)}) p, users where username like ${`${prefix}-%`}`
}

/** Rows that a call reads in D1, and its round trips. */
async function costOf(as: Person, path: string) {
  const { status, text, trips } = await recordCall('GET', path, { as })
  expect(status, text).toBe(200)
  return { rows: trips.reduce((sum, trip) => sum + trip.rowsRead, 0), trips: trips.length }
}

/** A course with three homeworks of one problem each and a thousand students. */
async function createTerm() {
  const world = await createProblem()
  const { course, teacher, problemId } = world
  const problemIds = [problemId]
  for (const problemName of ['Second', 'Third']) {
    const json = { course, ...problemForm({ problemName }) }
    problemIds.push((await teacher.post('/problem/manage', json)).data.problemId)
  }
  await addClass(course, problemIds)
  const now = nowSeconds()
  const form = { courseName: course, start: now - 900, end: now + 900, scoreboardStatus: 0 }
  const ids: string[] = []
  for (const id of problemIds)
    ids.push(
      (await teacher.post('/homework', { ...form, name: `H${id}`, problemIds: [id] })).data.id,
    )
  return { ...world, ids, now }
}
type Term = Awaited<ReturnType<typeof createTerm>>

/** What the pages of a term cost its student and its teacher. */
async function measure({ course, teacher, student, problemId, ids }: Term) {
  const pages = [
    `/homework/${ids[0]}`,
    `/homework/${ids[0]}/scoreboard`,
    `/course/${course}`,
    `/course/${course}/homework`,
    `/course/${course}/homework?progress=own`,
    `/problem/${problemId}`,
    `/problem?course=${course}`,
    '/homework',
    '/overview',
  ]
  const costs = new Map<string, Awaited<ReturnType<typeof costOf>>>()
  for (const path of pages) {
    costs.set(`student ${path}`, await costOf(student, path))
    costs.set(`teacher ${path}`, await costOf(teacher, path))
  }
  return costs
}
type Costs = Awaited<ReturnType<typeof measure>>

/** Expects that pages read at most a fifth more rows than before, in as many round trips. @param few rows that all may read besides */
function expectAlike(before: Costs, after: Costs, few = 0): void {
  for (const [page, { rows, trips }] of after) {
    const earlier = before.get(page)
    expect(rows, page).toBeLessThanOrEqual((earlier?.rows ?? 0) * MORE + few)
    expect(trips, page).toBe(earlier?.trips)
  }
}

/** Expects that what is one's own costs its student few rows more. */
function expectFewMore(before: Costs, after: Costs, few: number): void {
  for (const [page, { rows }] of after)
    if (page.startsWith('student'))
      expect(rows - (before.get(page)?.rows ?? 0), page).toBeLessThanOrEqual(few)
}

/** Selects the last of the students, as JSON. */
const lastStudents = (course: string) =>
  firstValue<string>`select json_group_array(user_id) from (select user_id from memberships
    join courses on courses.id = course_id where courses.name = ${course} order by user_id desc limit ${OVERRIDES})`

test('pages read at most a fifth more with overrides for others, in as many round trips; one of one’s own costs a few rows', async () => {
  const term = await createTerm()
  const { course, teacher, student, ids, now } = term
  const before = await measure(term)
  // Each student costs the overview a row for the list, and one for each homework and problem.
  expect(before.get('teacher /overview')?.rows).toBeLessThan(STUDENTS * 3 * ids.length * 1.1)
  await runSql`insert into homework_overrides (homework_id, user_id, due, reason, setter_id, set_at)
    select h.value, p.value, ${now + 2_000}, 'Ill', ${teacher.id}, 1 from json_each(${JSON.stringify(ids)}) h,
      json_each(${await lastStudents(course)}) p`
  const after = await measure(term)
  expectAlike(before, after)
  await runSql`insert into homework_overrides (homework_id, user_id, due, setter_id, set_at)
    select value, ${student.id}, ${now + 2_000}, ${teacher.id}, 1 from json_each(${JSON.stringify(ids)})`
  expectFewMore(after, await measure(term), OWN * ids.length)
})

test('so do labels of others with dates of their own, and one’s own label', async () => {
  const term = await createTerm()
  const { course, teacher, student, ids, now } = term
  const before = await measure(term)
  const made = await teacher.put(`/course/${course}/labels`, {
    labels: [{ id: null, name: 'Lab' }],
  })
  const label = made.data.labels[0].id
  await runSql`insert into member_labels (course_id, user_id, label_id)
    select courses.id, p.value, ${label} from courses, json_each(${await lastStudents(course)}) p where courses.name = ${course}`
  await runSql`insert into homework_overrides (homework_id, label_id, due, setter_id, set_at)
    select value, ${label}, ${now + 2_000}, ${teacher.id}, 1 from json_each(${JSON.stringify(ids)})`
  const after = await measure(term)
  expectAlike(before, after, OF_LABEL.others * ids.length)
  await runSql`insert into member_labels (course_id, user_id, label_id)
    select courses.id, ${student.id}, ${label} from courses where courses.name = ${course}`
  expectFewMore(after, await measure(term), OF_LABEL.own * ids.length)
})

test('a change for three students reads fewer rows than the course has students', async () => {
  const term = await createTerm()
  const { course, teacher, ids, now } = term
  const some = await allRows<{ username: string }>`select username from memberships
    join users on users.id = user_id join courses on courses.id = course_id
    where courses.name = ${course} and username like 'many%' limit 3`
  const overrides = some.map(({ username }) => ({ username, due: now + 2_000 }))
  const path = `/homework/${ids[0]}/overrides`
  const changed = await recordCall('PUT', path, { as: teacher, json: { overrides } })
  expect(changed.status, changed.text).toBe(200)
  expect(changed.trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(STUDENTS)
})
