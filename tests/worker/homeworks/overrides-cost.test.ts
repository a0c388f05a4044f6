/** Pages about homeworks read hardly more rows in D1 with overrides for three hundred of a thousand students than with none. */
import { expect, test } from 'vitest'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { numbersBelow, runSql } from '../support/sql.ts'
import { createProblem, problemForm, uniqueName, type Person } from '../support/world.ts'

const STUDENTS = 1_000
const OVERRIDES = 300
/** The most that rows read may grow by the overrides. */
const MORE = 1.2
/** The most rows that an override of one's own may cost on a page. */
const OWN = 30

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

test('pages read at most a fifth more with overrides for others, in as many round trips; one of one’s own costs a few rows', async () => {
  const { course, teacher, student, problemId, ids, now } = await createTerm()
  const pages = [
    `/homework/${ids[0]}`,
    `/homework/${ids[0]}/scoreboard`,
    `/course/${course}/homework`,
    `/course/${course}/homework?progress=own`,
    `/problem/${problemId}`,
    `/problem?course=${course}`,
    '/homework',
    '/overview',
  ]
  const measure = async (as: Person) => {
    const costs = new Map<string, Awaited<ReturnType<typeof costOf>>>()
    for (const path of pages) costs.set(path, await costOf(as, path))
    return costs
  }
  const before = { student: await measure(student), teacher: await measure(teacher) }
  // Each student costs the overview a row for the list, and one for each homework and problem.
  expect(before.teacher.get('/overview')?.rows).toBeLessThan(STUDENTS * 3 * ids.length * 1.1)
  await runSql`insert into homework_overrides (homework_id, user_id, due, reason, setter_id, set_at)
    select h.value, user_id, ${now + 2_000}, 'Ill', ${teacher.id}, 1 from json_each(${JSON.stringify(ids)}) h,
      (select user_id from memberships join courses on courses.id = course_id where courses.name = ${course}
        order by user_id desc limit ${OVERRIDES})`
  const after = { student: await measure(student), teacher: await measure(teacher) }
  for (const who of ['student', 'teacher'] as const)
    for (const [path, { rows, trips }] of after[who]) {
      const earlier = before[who].get(path)
      expect(rows, `${who} ${path}`).toBeLessThanOrEqual((earlier?.rows ?? 0) * MORE)
      expect(trips, `${who} ${path}`).toBe(earlier?.trips)
    }
  await runSql`insert into homework_overrides (homework_id, user_id, due, setter_id, set_at)
    select value, ${student.id}, ${now + 2_000}, ${teacher.id}, 1 from json_each(${JSON.stringify(ids)})`
  for (const [path, { rows }] of await measure(student)) {
    expect(rows - (after.student.get(path)?.rows ?? 0), path).toBeLessThanOrEqual(OWN * ids.length)
  }
})
