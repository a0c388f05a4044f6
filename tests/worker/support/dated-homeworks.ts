/** Homeworks with dates, overrides and submissions, written into the database by SQL, and what the views say about them. */
import type {
  Counts,
  Dates,
  HomeworkDates,
  LateRule,
  OverrideFields,
  Scored,
} from '#contract/homework-dates'
import { allRows, runSql } from './sql.ts'
import { createPerson, uniqueName } from './world.ts'

/** A homework in a course of its own. `counts` null: as the course has it. Its people are students. */
export interface DatedHomework {
  homework: HomeworkDates & { lateRule: LateRule; counts: Counts | null; courseCounts: Counts }
  forAll: OverrideFields | null
  people: {
    override: OverrideFields | null
    /** `problem`: 0 or 1, the place in the homework. */
    submissions: (Scored & { status: number; problem: number })[]
  }[]
}

/** What the views say about one person: the dates, and the value for each problem. */
export interface Viewed {
  dates: Dates
  values: (number | null)[]
}

let calls = 0

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** The homeworks with ids that no other test uses. */
function numbered(homeworks: readonly DatedHomework[]) {
  calls += 1
  const first = calls * 1_000_000
  return homeworks.map(({ homework, forAll, people }, index) => ({
    ...homework,
    id: hex(first + index, 24),
    course: first + index,
    name: uniqueName('Dated '),
    people: people.map((person, place) => ({ ...person, user: first + index * 10 + place })),
    forAll,
  }))
}
type Numbered = ReturnType<typeof numbered>[number]

/** The rows of overrides. */
function overridesOf({ id, forAll, people }: Numbered) {
  return [{ user: null, override: forAll }, ...people].flatMap(({ user, override }) =>
    override ? [{ ...override, homework: id, user }] : [],
  )
}

/** The rows of submissions. */
function submissionsOf({ course, people }: Numbered) {
  return people.flatMap(({ user, submissions }) =>
    submissions.map(({ id, problem, ...each }) => ({
      ...each,
      id: hex(user, 8) + id.slice(8),
      course,
      user,
      problem: course * 2 + problem,
    })),
  )
}

/** Writes the homeworks and all that they need. */
async function store(homeworks: readonly Numbered[]): Promise<void> {
  const { id: owner } = await createPerson(1)
  const overrides = JSON.stringify(homeworks.flatMap(overridesOf))
  const submissions = JSON.stringify(homeworks.flatMap(submissionsOf))
  const all = JSON.stringify(homeworks)
  await runSql`insert into courses (id, name, name_key, time_zone, counts, created_at)
    select value ->> 'course', value ->> 'name', value ->> 'name', 'UTC', value ->> 'courseCounts', 0 from json_each(${all})`
  await runSql`insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
    select p.value ->> 'user', 'u' || (p.value ->> 'user'), 'u' || (p.value ->> 'user'), '', '', 2, 1, 0
    from json_each(${all}) h, json_each(h.value, '$.people') p`
  await runSql`insert into memberships (course_id, user_id, role, joined_at)
    select h.value ->> 'course', p.value ->> 'user', 'student', 0 from json_each(${all}) h, json_each(h.value, '$.people') p`
  await runSql`insert into homeworks (id, course_id, name, markdown, start_at, end_at, close_at, grace_minutes, late_rule, counts,
      scoreboard_status, created_at, updated_at)
    select value ->> 'id', value ->> 'course', 'H', '', value ->> 'start', value ->> 'end', value ->> 'close', value ->> 'graceMinutes',
      value -> 'lateRule', value ->> 'counts', 1, 0, 0 from json_each(${all})`
  await runSql`insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare,
      created_at, updated_at)
    select (h.value ->> 'course') * 2 + place.value, h.value ->> 'course', 'P', 0, 0, ${owner}, '[]', -1, 1, '{}', '{}', 0, 0
    from json_each(${all}) h, json_each('[0,1]') place`
  await runSql`insert into homework_problems (homework_id, problem_id, position)
    select h.value ->> 'id', (h.value ->> 'course') * 2 + place.value, place.value from json_each(${all}) h, json_each('[0,1]') place`
  await runSql`insert into homework_overrides (homework_id, user_id, opens, due, closes, grace_minutes, late_percent, quota, excused,
      setter_id, set_at)
    select value ->> 'homework', value ->> 'user', value ->> 'opens', value ->> 'due', value ->> 'closes', value ->> 'graceMinutes',
      value ->> 'latePercent', value ->> 'quota', value ->> 'excused', ${owner}, 0 from json_each(${overrides})`
  await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, score, quota_used, ip, created_at,
      accepted_at)
    select value ->> 'id', value ->> 'problem', value ->> 'course', value ->> 'user', 0, value ->> 'status', value ->> 'score', 0, '',
      value ->> 'at', value ->> 'at' from json_each(${submissions})`
}

/** Stores homeworks with two problems each and reads the views. Answers for each homework what the views say about its people. */
export async function viewed(homeworks: readonly DatedHomework[]): Promise<Viewed[][]> {
  const rows = numbered(homeworks)
  await store(rows)
  const people = JSON.stringify(
    rows.flatMap(({ id, people: them }) => them.map(({ user }) => ({ id, user }))),
  )
  const dates = await allRows<Omit<Dates, 'excused'> & { user: number; excused: number }>`
    select user_id as user, opens, due, closes, grace_minutes as graceMinutes, late_percent as latePercent, quota, excused
    from json_each(${people}) join homework_dates on homework_id = value ->> 'id' and user_id = value ->> 'user'`
  const marks = await allRows<{ user: number; problem: number; value: number }>`
    select user_id as user, problem_id as problem, homework_marks.value from json_each(${people}) people
    join homework_marks on homework_id = people.value ->> 'id' and user_id = people.value ->> 'user'`
  const datesByUser = new Map(dates.map(({ user, ...own }) => [user, own]))
  const valueByKey = new Map(marks.map(({ user, problem, value }) => [`${user} ${problem}`, value]))
  if (datesByUser.size !== dates.length || valueByKey.size !== marks.length)
    throw new Error('a view has two rows for one person')
  return rows.map((row) =>
    row.people.map(({ user }) => {
      const own = datesByUser.get(user)
      if (!own) throw new Error('the view of dates lacks a person')
      const values = [0, 1].map((place) => valueByKey.get(`${user} ${row.course * 2 + place}`))
      return {
        dates: { ...own, excused: own.excused === 1 },
        values: values.map((value) => value ?? null),
      }
    }),
  )
}
