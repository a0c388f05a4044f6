/**
 * Provoking hints teaches nothing beyond what staff wrote: students' answers with hints in place are those without hints, but for the
 * hints themselves. The programs are like those of somebody who searches hidden cases by printing constants.
 */
import { beforeEach, expect, test } from 'vitest'
import { emptyQueue } from '../support/judge.ts'
import { fail, merge, mistakeOf, writeHint } from '../support/mistakes.ts'
import { allRows } from '../support/sql.ts'
import {
  addStudents,
  createProblem,
  registerRunner,
  fetchApi,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

const MISTAKES = [...'ABCDEF'].map((letter) => mistakeOf(letter))

/** The programs: each prints a constant, so each fails at its first case or later with the mistake of its output. */
const PROGRAMS = MISTAKES.flatMap((mistake, nth) => [
  { mistake, task: 1, index: nth % 2 },
  { mistake, task: nth % 3 === 0 ? 0 : 1, index: 0 },
])

/** Everything of a problem and its submissions that a student can read, as text by path. */
async function answersOf(as: Person, world: { course: string; problemId: number }, ids: string[]) {
  const { course, problemId } = world
  const paths = [
    ...ids.map((id) => `/submission/${id}`),
    ...ids.map((id) => `/submission/${id}/questions`),
    ...ids.map((id) => `/submission/${id}/output/1/0`),
    `/submission?problemId=${problemId}`,
    `/submission?course=${course}`,
    `/problem/${problemId}`,
    `/problem/${problemId}/stats`,
    `/problem?course=${course}`,
    `/course/${course}`,
    `/course/${course}/questions`,
    `/problem/${problemId}/mistakes`,
    `/problem/${problemId}/mistakes/${MISTAKES[0]}`,
    '/notices',
    '/overview',
  ]
  const answers = new Map<string, string>()
  for (const path of paths) {
    const { status, text } = await read(as, path)
    answers.set(path, `${status} ${text}`)
  }
  return answers
}

async function read(as: Person, path: string) {
  const response = await fetchApi('GET', path, { as })
  return { status: response.status, text: await response.text() }
}

/** The messages that a person's open page gets. */
async function openPage(as: Person): Promise<string[]> {
  const headers = { Upgrade: 'websocket', Origin: 'https://judge.test' }
  const { webSocket } = await fetchApi('GET', '/live', { as, headers })
  if (!webSocket) throw new Error('the answer has no socket')
  const got: string[] = []
  webSocket.addEventListener('message', ({ data }) => {
    got.push(String(data))
  })
  webSocket.accept()
  return got
}

/** An answer about a submission without its hints, and these. */
function withoutHints(text: string) {
  const hints: unknown[] = []
  const rest = JSON.stringify(
    JSON.parse(text.slice(text.indexOf(' ') + 1), (key, value: unknown) => {
      if (key !== 'hints' || !Array.isArray(value)) return value
      hints.push(...value)
      return []
    }),
  )
  return { rest, hints }
}

test('answers with hints are answers without hints, plus the hints of staff alone', async () => {
  const world = await createProblem()
  const { ta, student, problemId } = world
  const [other] = await addStudents(world, 1)
  if (!other) throw new Error('there is nobody')
  const token = await registerRunner()
  const ids: string[] = []
  for (const program of PROGRAMS) {
    ids.push(await fail(token, student, problemId, program))
    await fail(token, other, problemId, program)
  }
  const before = await answersOf(student, world, ids)
  const pages = [await openPage(student), await openPage(other)] as const
  const [first, second, , fourth] = MISTAKES
  if (!first || !second || !fourth) throw new Error('too few mistakes')
  await merge(problemId, second, first)
  const written = new Map<number, string>()
  for (const about of [
    { mistake: first },
    { mistake: fourth },
    { failed: { task: 1, case: 1 } },
    { failed: { task: 0, case: 0 } },
    { failed: { task: 1, case: 0 } },
  ]) {
    const markdown = `Written ${written.size}`
    written.set(await writeHint(ta, problemId, { ...about, markdown }), markdown)
  }
  const after = await answersOf(student, world, ids)
  let shown = 0
  for (const [path, text] of after) {
    const { rest, hints } = withoutHints(text)
    expect(rest, path).toBe(withoutHints(before.get(path) ?? '').rest)
    expect(text.slice(0, 3), path).toBe(before.get(path)?.slice(0, 3))
    for (const hint of hints as { hintId: number; markdown: string }[]) {
      expect(hint).toEqual({
        hintId: hint.hintId,
        markdown: written.get(hint.hintId),
        helped: null,
      })
      shown += 1
    }
    for (const mistake of MISTAKES)
      if (!path.includes(mistake)) expect(text, path).not.toContain(mistake)
  }
  // Each program stands under the hint of its mistake or case, or under none.
  expect(shown).toBeGreaterThan(PROGRAMS.length / 2)
  expect(after.get(`/problem/${problemId}/mistakes`)?.slice(0, 3)).not.toBe('200')
  // Pages hear of their own newest try, once for the hint under it, and of nothing else.
  await expect.poll(() => pages.map(({ length }) => length)).toEqual([1, 1])
  const own = await allRows<{ user_id: number; failed_id: string }>`
    select user_id, failed_id from problem_results where problem_id = ${problemId}`
  const newest = new Map(own.map((row) => [row.user_id, row.failed_id]))
  for (const [page, person] of [
    [pages[0], student],
    [pages[1], other],
  ] as const)
    for (const message of page)
      expect(JSON.parse(message)).toEqual({
        kind: 'submission',
        submissionId: newest.get(person.id),
        progress: null,
      })
})
