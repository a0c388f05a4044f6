/** The scoreboard for students: only if the homework shows it, and without a trace of identities unless it names people. */
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { homework, homeworkBoard } from '#contract/homeworks'
import { BOARD_ROWS } from '../../../worker/features/homeworks/board-queries.ts'
import { toBoard } from '../../../worker/features/homeworks/board.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { countedTrips } from '../support/round-trips.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { numbersBelow } from '../support/sql.ts'
import {
  addMember,
  createCourse,
  createProblem,
  problemForm,
  registerRunner,
  submit,
  uniqueName,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** A running homework with a problem that its first student has solved and another student has not tried. */
async function createBoard() {
  const made = await createProblem()
  const { course, teacher, ta, student, problemId } = made
  const { student: other } = await createCourse()
  await addMember({ course, teacher }, other)
  const hidden = await ta.post('/problem/manage', { course, ...problemForm({ status: 1 }) })
  const form = {
    name: uniqueName('Homework '),
    start: nowSeconds() - 100,
    end: nowSeconds() + 1000,
    problemIds: [problemId, hidden.data.problemId],
  }
  const { id } = (await ta.post('/homework', { ...form, courseName: course })).data
  await submit(student, problemId)
  await submit(ta, problemId)
  await judgeAll(await registerRunner())
  const path = `/homework/${id}`
  const set = (changes: object) => ta.put(path, { ...form, ...changes })
  return { ...made, other, path, set }
}

describe('who sees it', () => {
  test('staff always; students where it says so, once it has begun; nobody else', async () => {
    const { student, ta, path, set } = await createBoard()
    const { teacher: stranger } = await createCourse()
    const ask = (as: typeof student) => as.get(`${path}/scoreboard`)
    expect(await ask(student)).toMatchObject({ status: 403, code: 'scoreboard_hidden' })
    expect((await ask(ta)).status).toBe(200)
    await set({ scoreboardStatus: 0 })
    expect((await ask(student)).status).toBe(200)
    expect(await ask(stranger)).toMatchObject({ status: 404, code: 'homework_not_found' })
    await set({ scoreboardStatus: 0, start: nowSeconds() + 500 })
    expect(await ask(student)).toMatchObject({ status: 403, code: 'scoreboard_hidden' })
  })

  test('the own row comes first, others have names only where the homework says so', async () => {
    const { student, other, problemId, path, set } = await createBoard()
    await set({ scoreboardStatus: 0 })
    const scoreboard = `${path}/scoreboard`
    const own = { user: { username: other.username }, scores: [null], sum: 0 }
    const unnamed = await other.get(scoreboard)
    expect(homeworkBoard.parse(unnamed.data)).toMatchObject({ problemIds: [problemId], own })
    expect(unnamed.data.others).toEqual([{ user: null, scores: [100], sum: 100 }])
    await set({ scoreboardStatus: 0, scoreboardNames: true })
    const named = await other.get(scoreboard)
    expect(named.data.others).toMatchObject([{ user: { username: student.username }, sum: 100 }])
    expect((await student.get(path)).data).toMatchObject({ scoreboardNames: true })
  })
})

test('a scoreboard that students may not see is not read for them', async () => {
  const { student, ta, path } = await createBoard()
  const trips = async (as: typeof student) =>
    countedTrips((await recordCall('GET', `${path}/scoreboard`, { as })).trips)
  expect(await trips(ta)).toHaveLength(2)
  expect(await trips(student)).toHaveLength(1)
})

test('a large class is read in pieces, each of its scores as staff see it', async () => {
  const { course, teacher, ta, student, problemId } = await createProblem()
  const problemIds = [problemId]
  for (let count = 1; count < 3; count += 1)
    problemIds.push(
      (await teacher.post('/problem/manage', { course, ...problemForm() })).data.problemId,
    )
  const now = nowSeconds()
  const [start, end] = [now - 1000, now - 500]
  const form = { name: 'H', courseName: course, start, end, problemIds, scoreboardStatus: 0 }
  const { id } = (await ta.post('/homework', form)).data
  // The first part of the read ends within a problem.
  const people = numbersBelow(Math.ceil((1.4 * BOARD_ROWS) / problemIds.length))
  await env.DB.batch(
    [
      `insert into users (username, username_key, email, displayed_name, role, password_hash, active, created_at)
        select 'b' || ${problemId} || '-' || value, 'b' || ${problemId} || '-' || value, 'b' || ${problemId} || '-' || value || '@x.test', '', 2, '', 1, 1 from json_each(?1)`,
      `insert into memberships (course_id, user_id, role, joined_at)
        select p.course_id, u.id, 'student', 1 from json_each(?1) n join users u on u.username_key = 'b' || ${problemId} || '-' || n.value join problems p on p.id = ${problemId}`,
      // Attempts before the start, twice in time, and after the end; some people have only the first and the last.
      `insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts, attempts)
        select p.id, m.user_id, 4, 4, 0, 100, 0, '[0,4,0,0,0,0,0,0]', json_object(
          printf('%012x%012x', ${start - 9}000, m.user_id), json_array(${start - 9}, 1, 99),
          printf('%012x%012x', ${start + 1}000, m.user_id), json_array(iif(m.user_id % 7, ${start}, ${start - 1}), 1, m.user_id % 50),
          printf('%012x%012x', ${start + 2}000, m.user_id), json_array(iif(m.user_id % 7, ${end}, ${end + 1}), 1, p.id % 50),
          printf('%012x%012x', ${end + 9}000, m.user_id), json_array(${end + 9}, 0, 100))
        from problems p join memberships m on m.course_id = p.course_id and m.user_id <> ${student.id} and m.role = 'student'
        where p.id in (${problemIds.join(', ')}) and json_valid(?1)`,
    ].map((sql) => env.DB.prepare(sql).bind(people)),
  )
  const { data } = await student.get(`/homework/${id}/scoreboard`)
  const { studentStatus } = homework.parse((await ta.get(`/homework/${id}`)).data)
  const expected = [...studentStatus.values()].map((own) =>
    problemIds.map((each) => own[each]?.bestId && own[each].score),
  )
  const scores: (number | null)[][] = homeworkBoard.parse(data).others.map((row) => row.scores)
  const inOrder = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).toSorted()
  expect(inOrder(scores)).toEqual(inOrder(expected))
  expect(new Set(scores.flat()).size).toBeGreaterThan(9)
  expect(scores.flat()).toContain(null)
  expect(data.own.scores).toEqual([null, null, null])
})

test('the best sum stands first, of equal ones the better first problem; a zero stands before nothing handed in', () => {
  const ranked: [number | null, number | null][] = [
    [60, 60],
    [100, 0],
    [60, 40],
    [0, 100],
    [null, 100],
    [0, 0],
    [0, null],
    [null, 0],
    [null, null],
  ]
  // The order by name would be the opposite.
  const people = ranked.map((scores, index) => ({
    username: `student-${ranked.length - index}`,
    displayedName: '',
    role: 2 as const,
    scores: new Map<number, number | null>(scores.entries()),
  }))
  const { others } = toBoard({ problemIds: [0, 1], hasNames: true }, people, 'ta')
  expect(others.map(({ scores }) => scores)).toEqual(ranked)
})

test('without names, nothing tells which of the others is who', () => {
  const score = fc.option(fc.integer({ min: 0, max: 100 }))
  const rows = fc.array(fc.tuple(score, score), { minLength: 2, maxLength: 6 })
  const order = rows.chain((each) =>
    fc.tuple(
      fc.constant(each),
      fc.shuffledSubarray([...each.keys()].slice(1), { minLength: each.length - 1 }),
    ),
  )
  /** The board that the first student sees, if the other students have these results in this order. */
  function boardOf(results: [number | null, number | null][], owners: number[]) {
    const people = results.map((_, index) => ({
      username: `student-${index}`,
      displayedName: `student-${index}`,
      role: 2 as const,
      scores: new Map<number, number | null>(),
    }))
    for (const [index, scores] of results.entries()) {
      const own = people[index === 0 ? 0 : (owners[index - 1] ?? 0)]?.scores
      for (const [problem, each] of scores.entries()) own?.set(problem, each)
    }
    return toBoard({ problemIds: [0, 1], hasNames: false }, people, 'student-0')
  }
  fc.assert(
    fc.property(order, ([results, owners]) => {
      const board = boardOf(results, owners)
      expect(board).toEqual(boardOf(results, [...results.keys()].slice(1)))
      expect(JSON.stringify(board.others)).not.toMatch(/student/)
      expect(board.own?.user?.username).toBe('student-0')
    }),
  )
})
