/** The scoreboard that students see: where the homework says so, and without a trace of who is who unless it names them. */
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { homeworkBoard, type Homework } from '#contract/homeworks'
import { toBoard } from '../../../worker/features/homeworks/board.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
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

/** A running homework with a problem that its first student has solved, and its other one has not tried. */
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

test('without names, nothing tells which of the others is who', () => {
  const score = fc.option(fc.integer({ min: 0, max: 100 }))
  const rows = fc.array(fc.tuple(score, score), { minLength: 2, maxLength: 6 })
  const order = rows.chain((each) =>
    fc.tuple(
      fc.constant(each),
      fc.shuffledSubarray([...each.keys()].slice(1), { minLength: each.length - 1 }),
    ),
  )
  /** The board that the first of the class sees, whose other results belong to the class in this order. */
  function boardOf(results: [number | null, number | null][], owners: number[]) {
    const names = results.map((_, index) => `student-${index}`)
    const studentStatus: Homework['studentStatus'] = Object.fromEntries(
      results.map((scores, index) => [
        names[index === 0 ? 0 : (owners[index - 1] ?? 0)],
        Object.fromEntries(
          scores.flatMap((each, problem) =>
            each === null
              ? []
              : [[problem, { score: each, problemStatus: 1, submissionIds: ['x'], late: null }]],
          ),
        ),
      ]),
    )
    const homework = { problemIds: [0, 1], studentStatus, scoreboardNames: false }
    const people = names.map((username) => ({
      username,
      displayedName: username,
      role: 2 as const,
    }))
    return toBoard(homework, people, 'student-0')
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
