/**
 * The whole judging pipeline: for any behaviour of messages, runners and clocks, every submission gets one result, and
 * every counter equals a recount. `npm run test:full` tries more cases.
 */
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { JUDGING } from '#contract/limits'
import { STATUS, type Verdict } from '#contract/verdicts'
import { claim, emptyQueue, report, reportOf } from '../support/judge.ts'
import { COMMANDS, newWorld, Pipeline } from '../support/pipeline-model.ts'
import { allRows } from '../support/sql.ts'
import { call, createPerson, createProblem, registerRunner, submit } from '../support/world.ts'

/** The same values in random order. */
function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, key: Math.random() }))
    .toSorted((left, right) => left.key - right.key)
    .map(({ value }) => value)
}

// The type of `import.meta` in a Worker lacks vite's addition.
const isFull = Reflect.get(import.meta, 'env').MODE === 'full'
const STUDENTS = isFull ? 50 : 10
/** Full runs use a random seed, other runs a fixed one. */
const RUNS = isFull ? { numRuns: 100 } : { numRuns: 10, seed: 20_261_120 }

beforeEach(emptyQueue)

/** A random one of these. */
function anyOf<T>(things: readonly [T, ...T[]]): T {
  return things[Math.floor(Math.random() * things.length)] ?? things[0]
}

const VERDICTS = [STATUS.AC, STATUS.WA, STATUS.TLE, STATUS.RE, STATUS.JE] as const

/**
 * A runner that claims at each delivery and reports each job one to three times, sometimes much later. Like a real runner
 * it names its jobs in heartbeats, so that no lease ends, however slow this machine is.
 */
async function runnerAt(token: string, deliveries: unknown[], told: Map<string, Verdict>) {
  const held: { judgementId: string; lease: string }[] = []
  const reportOne = async () => {
    const [job] = held.splice(Math.floor(Math.random() * held.length), 1)
    if (!job) return
    const verdict = anyOf(VERDICTS)
    told.set(job.judgementId, verdict)
    const times = 1 + Math.floor(Math.random() * 3)
    const answers = await Promise.all(
      Array.from({ length: times }, () =>
        report(token, job.judgementId, reportOf(job.lease, verdict)),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  let beatAt = performance.now()
  while (deliveries.pop() !== undefined) {
    if (performance.now() - beatAt > JUDGING.heartbeatSeconds * 500) {
      beatAt = performance.now()
      const active = held.map(({ judgementId }) => judgementId)
      const json = { active, slots: 2, free: 0, load: 0 }
      expect((await call('POST', '/runner/heartbeat', { token, json })).status).toBe(200)
    }
    // Not more jobs than a heartbeat can name and the end of the queue can wait for.
    while (held.length > 20) await reportOne()
    const job = await claim(token)
    if (job.status === 200) held.push(job.data)
    if (Math.random() < 0.5) await reportOne()
  }
  while (held.length > 0) await reportOne()
}

describe('tickets', () => {
  test(`delivered 1 to 5 times in any order to three runners at once, ${STUDENTS * 10} submissions get one result each [QF1]`, async () => {
    const { teacher, problemId, course } = await createProblem()
    const students = await Promise.all(Array.from({ length: STUDENTS }, () => createPerson(2)))
    const add = students.map(({ username }) => ({ user: username, role: 'student' }))
    await teacher.patch(`/course/${course}/members`, { add })
    for (let round = 0; round < 10; round += 1)
      await Promise.all(students.map((student) => submit(student, problemId)))
    const deliveries = shuffled(
      Array.from({ length: STUDENTS * 10 }, (_, ticket) =>
        Array.from({ length: 1 + Math.floor(Math.random() * 5) }, () => ticket),
      ).flat(),
    )
    const tokens = [await registerRunner(), await registerRunner(), await registerRunner()]
    const told = new Map<string, Verdict>()
    await Promise.all(tokens.map((token) => runnerAt(token, deliveries, told)))
    expect(told.size).toBe(STUDENTS * 10)
    const results = await allRows<{
      user: number
      status: number
      score: number
      judgement: string
    }>`
      select s.user_id as user, s.status, s.score, s.judgement_id as judgement, count(j.id) as judgements,
          sum(j.state = 'done') as done, max(j.attempt) as attempts
        from submissions s join judgements j on j.submission_id = s.id where s.problem_id = ${problemId} group by s.id`
    expect(results).toHaveLength(STUDENTS * 10)
    for (const row of results)
      expect(row).toMatchObject({
        status: told.get(row.judgement),
        judgements: 1,
        done: 1,
        attempts: 1,
      })
    const summaries =
      await allRows`select user_id as user, tries, scored, score_sum as sum, best_score as best, status_counts as counts
        from problem_results where problem_id = ${problemId}`
    expect(summaries).toHaveLength(STUDENTS)
    for (const { user, counts, ...summary } of summaries) {
      const own = results.filter((row) => row.user === user)
      const scores = own.filter(({ status }) => status !== STATUS.JE).map(({ score }) => score)
      expect(summary).toEqual({
        tries: own.length,
        scored: scores.length,
        sum: scores.reduce((sum, score) => sum + score, 0),
        best: scores.length === 0 ? null : Math.max(...scores),
      })
      expect(JSON.parse(String(counts))).toEqual(
        Array.from({ length: 8 }, (_, code) => own.filter(({ status }) => status === code).length),
      )
    }
  })
})

test('whatever is lost, repeated or dies: while one healthy runner lives, every pending submission becomes final [QF7]', async () => {
  const world = await newWorld()
  await fc.assert(
    fc.asyncProperty(
      fc.commands(COMMANDS, { maxCommands: isFull ? 60 : 40, size: 'max' }),
      async (commands) => {
        await emptyQueue()
        const real = new Pipeline(world, await createPerson(2))
        await real.join()
        await fc.asyncModelRun(() => ({ model: {}, real }), commands)
        await real.expectAllFinal()
      },
    ),
    RUNS,
  )
})
