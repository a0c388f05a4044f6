/** Homeworks with dates and overrides, written into the database by SQL. */
import type { HomeworkDates, OverrideFields } from '#contract/homework-dates'
import { runSql } from './sql.ts'
import { createPerson, uniqueName } from './world.ts'

/** An override with its reason. */
type Override = OverrideFields & { reason: string }

/** A homework in a course of its own. */
export interface DatedHomework {
  homework: HomeworkDates
  forAll: Override | null
  /** What each label of the course has. */
  labels: (Override | null)[]
  /** `labels`: places in the list of labels. */
  people: { role: 'student' | 'ta'; override: Override | null; labels: number[] }[]
}

/** Ids that no other test uses. */
const FIRST = 1_000_000

/** The homeworks with ids, and each override with its owner. */
function numbered(homeworks: readonly DatedHomework[]) {
  return homeworks.map(({ homework, forAll, people, labels }, index) => {
    const course = FIRST + index
    const labelOf = (place: number) => course * 10 + place
    const userOf = (place: number) => course * 10 + place
    const owned = [
      { user: null, label: null, override: forAll },
      ...labels.map((override, place) => ({ user: null, label: labelOf(place), override })),
      ...people.map(({ override }, place) => ({ user: userOf(place), label: null, override })),
    ]
    return {
      ...homework,
      id: course.toString(16).padStart(24, '0'),
      course,
      name: uniqueName('Dated '),
      labels: labels.map((_override, place) => labelOf(place)),
      people: people.map((person, place) => ({
        role: person.role,
        user: userOf(place),
        labels: person.labels.map(labelOf),
      })),
      overrides: owned.flatMap(({ override, ...owner }) =>
        override ? [{ ...override, ...owner }] : [],
      ),
    }
  })
}

/** Stores homeworks and all that they need; answers their ids and people. Only one call in a file. */
export async function storeHomeworks(homeworks: readonly DatedHomework[]) {
  const rows = numbered(homeworks)
  const { id: owner } = await createPerson(1)
  const all = JSON.stringify(rows)
  await runSql`insert into courses (id, name, name_key, time_zone, counts, created_at)
    select value ->> 'course', value ->> 'name', value ->> 'name', 'UTC', 'best', 0 from json_each(${all})`
  await runSql`insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
    select p.value ->> 'user', 'u' || (p.value ->> 'user'), 'u' || (p.value ->> 'user'), '', '', 2, 1, 0
    from json_each(${all}) h, json_each(h.value, '$.people') p`
  await runSql`insert into memberships (course_id, user_id, role, joined_at)
    select h.value ->> 'course', p.value ->> 'user', p.value ->> 'role', 0
    from json_each(${all}) h, json_each(h.value, '$.people') p`
  await runSql`insert into labels (id, course_id, name)
    select l.value, h.value ->> 'course', l.value from json_each(${all}) h, json_each(h.value, '$.labels') l`
  await runSql`insert into member_labels (course_id, user_id, label_id)
    select h.value ->> 'course', p.value ->> 'user', l.value
    from json_each(${all}) h, json_each(h.value, '$.people') p, json_each(p.value, '$.labels') l`
  await runSql`insert into homeworks (id, course_id, name, markdown, start_at, end_at, close_at, grace_minutes, late_rule,
      scoreboard_status, created_at, updated_at)
    select value ->> 'id', value ->> 'course', 'H', '', value ->> 'start', value ->> 'end', value ->> 'close', value ->> 'graceMinutes',
      '{"kind":"none"}', 1, 0, 0 from json_each(${all})`
  await runSql`insert into homework_overrides (homework_id, user_id, label_id, opens, due, closes, grace_minutes, late_percent, quota,
      excused, reason, setter_id, set_at)
    select h.value ->> 'id', o.value ->> 'user', o.value ->> 'label', o.value ->> 'opens', o.value ->> 'due', o.value ->> 'closes',
      o.value ->> 'graceMinutes', o.value ->> 'latePercent', o.value ->> 'quota', o.value ->> 'excused', o.value ->> 'reason', ${owner}, 0
    from json_each(${all}) h, json_each(h.value, '$.overrides') o`
  return rows.map(({ id, people }) => ({ id, userIds: people.map(({ user }) => user) }))
}
