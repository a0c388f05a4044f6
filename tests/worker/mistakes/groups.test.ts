/** Groups of people with the same mistake: who is in them, how they are described, and what reading them costs. */
import { beforeEach, describe, expect, test } from 'vitest'
import { COUNT_LIMITS } from '#contract/limits'
import { mistakePage } from '#contract/mistakes'
import { STATUS } from '#contract/verdicts'
import { ATTEMPTS } from '../../../worker/db/problem-results.ts'
import { secondsOfId } from '../../../worker/lib/ids.ts'
import { emptyQueue } from '../support/judge.ts'
import { addFailed, createFailed } from '../support/mistake-groups.ts'
import { mistakeOf } from '../support/mistakes.ts'
import { packLater } from '../support/packs.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { runSql } from '../support/sql.ts'
import { createPerson, createProblem } from '../support/world.ts'

beforeEach(emptyQueue)

/** The most rows that a page of groups may read with two hundred people in 25 groups, and with ten times as many people. */
const MOST_ROWS = { class: 300, lecture: 2_200 } as const

describe('a group', () => {
  test('has the people of a mistake, the newest example and the time of the oldest try', async () => {
    const { student, join, fail, failToCompile, solve, page, ta } = await createFailed()
    const [second, third, fourth] = [await join(), await join(), await join()]
    const oldest = await fail(student, 'b')
    const ids = [await fail(second, 'b'), await fail(third, 'b'), await fail(fourth, 'b')]
    await solve(second)
    await failToCompile(await join(), 'a')
    await solve(await join())
    const found = await page()
    expect(mistakePage.parse(found)).toEqual({
      people: 5,
      groupCount: 2,
      hints: [],
      next: null,
      groups: [
        {
          mistake: mistakeOf('b'),
          merged: [],
          status: STATUS.WA,
          failed: { task: 0, case: 0 },
          end: null,
          compileError: null,
          people: 4,
          solved: 1,
          unsolved: 3,
          since: secondsOfId(oldest),
          examples: ids.toReversed(),
        },
        {
          mistake: mistakeOf('a'),
          merged: [],
          status: STATUS.CE,
          failed: null,
          end: null,
          compileError: 'expected a semicolon',
          people: 1,
          solved: 0,
          unsolved: 1,
          since: expect.any(Number),
          examples: [expect.any(String)],
        },
      ],
    })
    expect((await ta.get('/problem/1000000000/mistakes')).code).toBe('problem_not_found')
  })

  test('says how the first failing case of the example ended', async () => {
    const { student, fail, page } = await createFailed()
    const id = await fail(student, 'a', STATUS.RE)
    const tasks = [
      { status: 0, score: 0, cases: [{ status: 0 }] },
      {
        status: 5,
        score: 0,
        cases: [{ status: 0 }, { status: 5, end: 'SIGSEGV' }, { status: null }],
      },
      { status: 1, score: 0, cases: [{ status: 1 }] },
    ]
    await runSql`update judgements set subtasks = ${JSON.stringify(tasks)} where submission_id = ${id}`
    expect((await page()).groups[0]).toMatchObject({
      status: STATUS.RE,
      failed: { task: 1, case: 1 },
      end: 'SIGSEGV',
    })
  })

  test.each([
    ['few', 1],
    ['too many to keep in the summary', ATTEMPTS.kept],
  ])('counts who solved the problem after the last failing try, with %s tries', async (_, more) => {
    const { student, problemId, fail, solve, page } = await createFailed()
    await solve(student)
    await runSql`update problem_results set tries = tries + ${more - 1}
      where problem_id = ${problemId} and user_id = ${student.id}`
    await fail(student, 'a')
    expect((await page()).groups).toMatchObject([{ people: 1, solved: 0, unsolved: 0 }])
    await solve(student)
    expect((await page()).groups).toMatchObject([{ people: 1, solved: 1, unsolved: 0 }])
  })

  test('has no staff, but people who left', async () => {
    const { course, teacher, ta, student, join, fail, page, path } = await createFailed()
    const left = await join()
    for (const person of [teacher, ta, await createPerson(0), student, left])
      await fail(person, 'a')
    await teacher.patch(`/course/${course}/members`, { remove: [left.username] })
    expect(await page()).toMatchObject({ people: 2, groups: [{ people: 2 }] })
    const people = (await ta.get(`${path}/${mistakeOf('a')}`)).data.tries
    const names = [student, left].map(({ username }) => username).toSorted()
    expect(people.map(({ user }: { user: { username: string } }) => user.username)).toEqual(names)
    await teacher.patch(`/course/${course}/members`, {
      add: [{ user: student.username, role: 'ta' }],
    })
    expect((await page()).people).toBe(1)
  })

  test('lists its people, those who have not solved the problem first', async () => {
    const { student, join, fail, solve, ta, path } = await createFailed()
    const later = await join()
    const [first, second] = [await fail(student, 'a'), await fail(later, 'a')]
    await fail(await join(), 'b')
    await solve(student)
    const answer = await ta.get(`${path}/${mistakeOf('a')}`)
    expect(answer.data.tries).toMatchObject([
      { user: { username: later.username }, submissionId: second, isSolved: false },
      { user: { username: student.username }, submissionId: first, isSolved: true },
    ])
    expect((await ta.get(`${path}/${mistakeOf('z')}`)).data).toEqual({ tries: [] })
    expect((await ta.get(`${path}/short`)).status).toBe(404)
    expect((await student.get(path)).status).toBe(403)
    expect((await student.get(`${path}/${mistakeOf('a')}`)).status).toBe(403)
  })

  test('is described from the pack, once its example is old', async () => {
    const { student, failToCompile, page } = await createFailed()
    await failToCompile(student, 'a')
    const before = await page()
    expect(before.groups[0]?.compileError).not.toBeNull()
    await packLater()
    expect(await page()).toEqual(before)
  })
})

describe('pages of groups', () => {
  test('go from the largest to the smallest, equal ones by mistake, each once', async () => {
    const { course, teacher, problemId } = await createProblem()
    const groups = COUNT_LIMITS.mistakeGroups + 5
    await addFailed(course, problemId, { people: groups * 2 + 7, tries: 1, groups })
    const path = `/problem/${problemId}/mistakes`
    const first = (await teacher.get(path)).data
    const second = (await teacher.get(`${path}?cursor=${first.next}`)).data
    expect(first.groups).toHaveLength(COUNT_LIMITS.mistakeGroups)
    expect(second).toMatchObject({ groupCount: groups, next: null })
    const all: { mistake: string; people: number }[] = [...first.groups, ...second.groups]
    expect(all.map(({ people }) => people)).toEqual([
      ...Array.from({ length: 7 }, () => 3),
      ...Array.from({ length: groups - 7 }, () => 2),
    ])
    for (const size of [3, 2]) {
      const mistakes = all.filter(({ people }) => people === size).map(({ mistake }) => mistake)
      expect(mistakes).toEqual(mistakes.toSorted())
    }
    expect(new Set(all.map(({ mistake }) => mistake)).size).toBe(groups)
    expect((await teacher.get(`${path}?cursor=abc`)).data[0].path).toEqual(['cursor'])
  })

  test.each([
    ['class', 200, 10],
    ['lecture', 2_000, 1],
  ] as const)(
    'of a %s read a row of each person and a few of each group',
    async (size, people, tries) => {
      const { course, ta, problemId } = await createProblem()
      await addFailed(course, problemId, { people, tries, groups: 27 })
      const path = `/problem/${problemId}/mistakes`
      const [largest, ...others] = (await ta.get(path)).data.groups.map(
        ({ mistake }: { mistake: string }) => mistake,
      )
      await ta.put(`${path}/merged`, { mistakes: others.slice(-2), into: largest })
      for (const mistake of [largest, others[0]])
        await ta.post(`/problem/${problemId}/hints`, { mistake, markdown: 'Think again.' })
      const { status, text, trips } = await recordCall('GET', path, { as: ta })
      expect(status, text).toBe(200)
      const { data } = JSON.parse(text)
      expect(data).toMatchObject({ people, groupCount: 25 })
      expect(data.hints).toHaveLength(2)
      const rows = trips.reduce((sum, trip) => sum + trip.rowsRead, 0)
      expect(rows).toBeGreaterThan(people)
      expect(rows).toBeLessThanOrEqual(MOST_ROWS[size])
    },
  )
})
