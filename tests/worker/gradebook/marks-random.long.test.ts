/** Random changes of all that decides about marks: the stored marks are always those made from nothing. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import {
  addJudged,
  marksFromNothing,
  refreshAll,
  rejudge,
  storedMarks,
} from '../support/stored-marks.ts'
import { courseIdOf } from '../support/notices.ts'
import { createTerm, DAY, HOUR, setBudget } from '../support/late-days.ts'
import { allRows, firstValue } from '../support/sql.ts'
import { addStudents } from '../support/world.ts'

const CHANGES = 1_000
const SEED = 20_261_129

/** Work that counts must stay more frequent than what takes it away. */
const MORE = ['verdict', 'joins', 'rejudge'].flatMap((name) => Array<string>(6).fill(name))

/** Mulberry32. @returns whole numbers from 0 to below a bound */
function numbersFrom(seed: number) {
  let state = seed
  return (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

test('after any changes, the stored marks are those made from nothing', async () => {
  const term = await createTerm([{}, {}, {}, {}])
  const others = await addStudents(term, 4)
  await setBudget(term)
  const courseId = await courseIdOf(term.course)
  const below = numbersFrom(SEED)
  const pick = <Item>(list: readonly Item[]): Item => {
    const item = list[below(list.length)]
    if (item === undefined) throw new Error('an empty list')
    return item
  }
  const run = (statement: string, ...values: unknown[]) =>
    env.DB.prepare(statement)
      .bind(...values)
      .run()
  const idOf = async (statement: string) => {
    const row = await env.DB.prepare(statement).first<{ id: number }>()
    return row?.id ?? 0
  }
  const people = [term.student, ...others].map(({ id }) => id)
  const homeworkIds = term.homeworks.map(({ id }) => id)
  const problemIds = term.homeworks.map(({ problemId }) => problemId)
  const label = await idOf(
    `insert into labels (course_id, name) values (${courseId}, 'L') returning id`,
  )
  const manual = await idOf(
    `insert into gradebook_columns (course_id, kind, name, max, shown) values (${courseId}, 'manual', 'Oral', 3000, 'no') returning id`,
  )
  const setter = term.teacher.id
  const submissions: string[] = []
  const time = () => term.now - 25 * DAY + below(25 * 24) * HOUR
  const maybe = <Value>(value: Value) => (below(2) === 0 ? null : value)
  const columns = async () =>
    (
      await allRows<{
        id: number
      }>`select id from gradebook_columns where course_id = ${courseId} and kind <> 'total'`
    ).map(({ id }) => id)

  const changes: Record<string, () => Promise<unknown>> = {
    verdict: async () =>
      submissions.push(
        await addJudged(pick(people), pick(problemIds), {
          at: time(),
          score: below(101),
          status: pick([0, 1, 1, 1, 6]),
        }),
      ),
    rejudge: async () =>
      submissions.length > 0 && rejudge(pick(submissions), below(101), pick([0, 1, 3])),
    dates: () =>
      run(
        `update homeworks set start_at = end_at - ${below(20) * DAY}, end_at = ?, close_at = ?, grace_minutes = ? where id = ?`,
        ...(([end]) => [end, end === undefined ? null : maybe(end + below(8) * DAY)])([time()]),
        below(3) * 30,
        pick(homeworkIds),
      ),
    rule: () =>
      run(
        'update homeworks set late_rule = ? where id = ?',
        JSON.stringify(
          pick([
            { kind: 'none' },
            { kind: 'steps', steps: [{ afterHours: below(48), percent: below(100) }] },
            {
              kind: 'units',
              unitMinutes: 1_440,
              percent: 10,
              how: pick(['multiply', 'subtract', 'cap']),
              floor: 0,
            },
          ]),
        ),
        pick(homeworkIds),
      ),
    counts: () =>
      run(
        'update homeworks set counts = ? where id = ?',
        maybe(pick(['best', 'last'])),
        pick(homeworkIds),
      ),
    courseCounts: () =>
      run('update courses set counts = ? where id = ?', pick(['best', 'last']), courseId),
    override: () => {
      const [user, labelled] = pick([
        [pick(people), null],
        [null, label],
        [null, null],
      ])
      return env.DB.batch([
        env.DB.prepare(
          'delete from homework_overrides where homework_id = ?1 and user_id is ?2 and label_id is ?3',
        ).bind(homeworkIds[0], user, labelled),
        env.DB.prepare(
          `insert into homework_overrides (homework_id, user_id, label_id, due, closes, late_percent, excused, reason, setter_id, set_at)
           values (?, ?, ?, ?, ?, ?, ?, '', ?, 0)`,
        ).bind(
          homeworkIds[0],
          user,
          labelled,
          maybe(time()),
          maybe(time()),
          maybe(below(100)),
          pick([null, null, 0, 1]),
          setter,
        ),
      ])
    },
    overrideChanged: () =>
      run(
        'update homework_overrides set due = ?, excused = ? where id in (select id from homework_overrides order by random() limit 1)',
        maybe(time()),
        maybe(1),
      ),
    overrideRemoved: () =>
      run(
        'delete from homework_overrides where id in (select id from homework_overrides order by random() limit 1)',
      ),
    labelGiven: () =>
      run(
        'insert into member_labels (course_id, user_id, label_id) select course_id, user_id, ? from memberships where course_id = ? and user_id = ? on conflict do nothing',
        label,
        courseId,
        pick(people),
      ),
    labelTaken: () => run('delete from member_labels where user_id = ?', pick(people)),
    // Only submissions give marks that can be kept.
    kept: () =>
      run(
        'insert into kept_marks (homework_id, user_id, problem_id, value) select ?1, ?2, ?3, ?4 from problem_results where user_id = ?2 and problem_id = ?3 on conflict do update set value = excluded.value',
        ...(([index]) => [homeworkIds[index ?? 0], pick(people), problemIds[index ?? 0]])([
          below(4),
        ]),
        below(10_001),
      ),
    confirmed: () => run('delete from kept_marks where user_id = ?', pick(people)),
    points: () =>
      env.DB.batch(
        (([index, user]) => {
          const homework = homeworkIds[index ?? 0]
          const problem = maybe(problemIds[index ?? 0] ?? null)
          return [
            env.DB.prepare(
              'delete from staff_points where homework_id = ?1 and user_id = ?2 and problem_id is ?3',
            ).bind(homework, user, problem),
            env.DB.prepare(
              "insert into staff_points (homework_id, user_id, problem_id, hundredths, comment, giver_id, given_at) values (?, ?, ?, ?, '', ?, 0)",
            ).bind(homework, user, problem, below(5_000), setter),
          ]
        })([below(4), pick(people)]),
      ),
    pointsTaken: () => run('delete from staff_points where user_id = ?', pick(people)),
    asked: () =>
      run(
        'insert into asked_late_days (homework_id, user_id, days, asked_at) values (?, ?, ?, 0) on conflict do update set days = excluded.days',
        pick(homeworkIds),
        pick(people),
        below(4),
      ),
    askedBack: () => run('delete from asked_late_days where user_id = ?', pick(people)),
    budget: () =>
      run(
        'update late_day_budgets set size = ?, most_each = ?, spending = ?, moves_closing = ? where course_id = ?',
        1 + below(5),
        1 + below(3),
        pick(['auto', 'asked']),
        below(2),
        courseId,
      ),
    budgetLeft: () => run('update homeworks set budget_id = null where id = ?', pick(homeworkIds)),
    budgetJoined: () =>
      run(
        'update homeworks set budget_id = (select id from late_day_budgets where course_id = ?) where id = ?',
        courseId,
        pick(homeworkIds),
      ),
    worth: () =>
      run(
        'update homework_problems set points = ? where homework_id = ?',
        10 * (1 + below(15)),
        pick(homeworkIds),
      ),
    problemAdded: () =>
      run(
        'insert into homework_problems (homework_id, problem_id, position, points) values (?, ?, 9, 50) on conflict do nothing',
        pick(homeworkIds),
        pick(problemIds),
      ),
    problemRemoved: () =>
      run(
        'delete from homework_problems where homework_id = ? and position = 9',
        pick(homeworkIds),
      ),
    hidden: () => run('update problems set status = 1 - status where id = ?', pick(problemIds)),
    leaves: () =>
      run('delete from memberships where course_id = ? and user_id = ?', courseId, pick(people)),
    joins: () =>
      run(
        "insert into memberships (course_id, user_id, role, joined_at) values (?, ?, 'student', 0) on conflict do nothing",
        courseId,
        pick(people),
      ),
    role: () =>
      run(
        'update memberships set role = ? where course_id = ? and user_id = ?',
        pick(['ta', 'student', 'student', 'student']),
        courseId,
        pick(people),
      ),
    setting: async () =>
      run(
        "insert into mark_settings (column_id, user_id, hundredths, is_excused, reason, setter_id, set_at) values (?, ?, ?, ?, '', ?, 0)",
        pick([...(await columns()), manual]),
        pick(people),
        maybe(below(4_000)),
        pick([0, 0, 1]),
        setter,
      ),
    group: () =>
      run(
        "insert into gradebook_groups (course_id, name, position, weight, drop_lowest, cap_percent) values (?, 'G', ?, ?, ?, ?)",
        courseId,
        below(5),
        maybe(1_000 * below(9)),
        below(3),
        pick([50, 100, 120]),
      ),
    groupChanged: () =>
      run(
        'update gradebook_groups set drop_lowest = ?, is_extra = ? where course_id = ?',
        below(3),
        below(2),
        courseId,
      ),
    groupRemoved: () =>
      run(
        'delete from gradebook_groups where id = (select min(id) from gradebook_groups where course_id = ?)',
        courseId,
      ),
    column: async () =>
      run(
        'update gradebook_columns set group_id = (select max(id) from gradebook_groups where course_id = ?), weight = ?, is_extra = ?, position = ? where id = ?',
        courseId,
        maybe(100 * below(50)),
        pick([0, 0, 1]),
        maybe(below(9)),
        pick(await columns()),
      ),
    totalRule: () =>
      run(
        "update gradebook_columns set max = ?, decimals = ? where course_id = ? and kind = 'total'",
        maybe(100 * below(200)),
        below(3),
        courseId,
      ),
  }
  const names = Object.keys(changes)
  const done = new Set<string>()
  let compared = 0
  for (let count = 1; count <= CHANGES; count += 1) {
    const name = pick([...names, ...MORE])
    await changes[name]?.()
    done.add(name)
    // Several changes may come before the marks are computed.
    if (below(3) === 0) await refreshAll(courseId)
    if (count % 20 !== 0) continue
    await refreshAll(courseId)
    const stored = await storedMarks(courseId)
    compared += stored.filter(({ hundredths }) => (hundredths ?? 0) > 0).length
    expect(await marksFromNothing(courseId), `${name}, change ${count}`).toEqual(stored)
  }
  expect(done.size).toBe(names.length)
  expect(await firstValue`select count(*) from stale_marks`).toBe(0)
  // The comparisons have compared something.
  expect(compared).toBeGreaterThan(100)
})
