/** Who may read the output of each case, for many problems, scores, roles and times. */
import { createExecutionContext } from 'cloudflare:test'
import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { judgeOutcome, judgeSubtask, STATUS, type CaseResult } from '#contract/verdicts'
import { app } from '../../../worker/app.ts'
import { claim, emptyQueue, outputOf, report } from '../support/judge.ts'
import { UNLIMITED } from '../support/rates.ts'
import {
  addMember,
  createCourse,
  createPerson,
  fetchApi,
  problemForm,
  registerRunner,
  requestOf,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

// The type of `import.meta` in a Worker lacks vite's addition.
const isFull = Reflect.get(import.meta, 'env').MODE === 'full'
/** Full runs use a random seed, other runs a fixed one. */
const RUNS = isFull ? { numRuns: 60 } : { numRuns: 6, seed: 20_261_123 }

beforeEach(emptyQueue)

interface Subtask {
  caseCount: number
  points: number
  sample: boolean
}

const subtask = fc.record({
  caseCount: fc.integer({ min: 1, max: 2 }),
  points: fc.constantFrom(0, 0, 20, 50),
  sample: fc.boolean(),
})

/** An event for the problem and the submission; `bits` choose subtasks. */
interface Step {
  what: string
  bits: number
}

const step = fc.record({
  what: fc.constantFrom<string[]>('judge', 'judge', 'mark', 'upload', 'recount', 'hide', 'rejudge'),
  bits: fc.integer({ min: 0, max: 7 }),
})

/** A hidden case fails, so its output is kept; later its subtask becomes a sample, with other test data. */
const EXAMPLES = [
  ['judge', 'upload', 'mark'],
  ['judge', 'recount', 'mark', 'upload'],
].map((steps): [Subtask[], Step[]] => [
  [
    { caseCount: 2, points: 20, sample: false },
    { caseCount: 1, points: 0, sample: false },
  ],
  steps.map((what) => ({ what, bits: 7 })),
])

/** A form with these subtasks; the last one gets the remaining points. */
function formOf(subtasks: Subtask[], status: 0 | 1) {
  const others = subtasks.slice(0, -1).map(({ points }) => Math.min(points, 50))
  const rest = 100 - others.reduce((sum, points) => sum + points, 0)
  return problemForm({
    status,
    testCase: subtasks.map(({ caseCount, sample }, index) => ({
      caseCount,
      sample,
      taskScore: others[index] ?? rest,
      memoryLimit: 65_536,
      timeLimit: 1000,
    })),
    revealTests: true,
  })
}

/** A problem, a submission to it, and the known facts about both. */
class World {
  private readonly uploads: string[] = []
  private readonly problemId: number
  private readonly people: { student: Person; ta: Person; teacher: Person }
  private readonly token: string
  private subtasks: Subtask[]
  private status: 0 | 1 = 0
  readonly submissionId: string
  /** The upload by which the current result was judged, and the cases with kept outputs. */
  private judged: { upload: number; kept: Set<string> } | null = null

  private constructor(
    people: World['people'],
    made: { problemId: number; submissionId: string; token: string; subtasks: Subtask[] },
  ) {
    this.people = people
    this.problemId = made.problemId
    this.submissionId = made.submissionId
    this.token = made.token
    this.subtasks = made.subtasks
  }

  static async make(
    course: string,
    people: World['people'],
    token: string,
    subtasks: Subtask[],
  ): Promise<World> {
    const json = { course, ...formOf(subtasks, 0) }
    const created = await people.teacher.post('/problem/manage', json)
    expect(created.status).toBe(200)
    const { problemId } = created.data
    const entries = entriesOf(subtasks)
    expect((await uploadZip(people.teacher, problemId, entries)).status).toBe(200)
    const submissionId = await submit(people.student, problemId)
    const world = new World(people, { problemId, submissionId, token, subtasks })
    world.uploads.push(countsOf(subtasks))
    return world
  }

  /** The newest upload that fits the subtasks; -1 if there is none. */
  private get active(): number {
    return this.uploads.lastIndexOf(countsOf(this.subtasks))
  }

  get cases(): [subtask: number, index: number][] {
    return [0, 1, 2].flatMap((at) => [0, 1].map((index): [number, number] => [at, index]))
  }

  isKept(at: number, index: number): boolean {
    return this.judged?.kept.has(`${at} ${index}`) ?? false
  }

  isSample(at: number): boolean {
    return this.subtasks[at]?.sample === true && this.judged?.upload === this.active
  }

  async take({ what, bits }: Step): Promise<void> {
    const isChosen = (at: number) => ((bits >> at) & 1) === 1
    if (what === 'judge') return this.judge(isChosen)
    if (what === 'rejudge') return this.rejudge()
    if (what === 'upload') return this.upload()
    if (what === 'hide') this.status = this.status === 0 ? 1 : 0
    else
      this.subtasks = this.subtasks.map((each, at) => ({
        ...each,
        ...(what === 'mark' && { sample: isChosen(at) }),
        ...(what === 'recount' && { caseCount: isChosen(at) ? 1 : 2 }),
      }))
    const form = formOf(this.subtasks, this.status)
    const saved = await this.people.teacher.put(`/problem/manage/${this.problemId}`, form)
    expect(saved.status).toBe(200)
  }

  private async upload(): Promise<void> {
    const { teacher } = this.people
    const sent = await uploadZip(teacher, this.problemId, entriesOf(this.subtasks))
    expect(sent.status).toBe(200)
    this.uploads.push(countsOf(this.subtasks))
  }

  private async rejudge(): Promise<void> {
    const answer = await this.people.ta.post(`/submission/${this.submissionId}/rejudge`)
    expect(answer.status).toBe(this.active === -1 ? 409 : 200)
    if (answer.status === 200) this.judged = null
  }

  /** Judges the waiting job; chosen subtasks are wrong. Like a real host, it keeps outputs of samples and first failures. */
  private async judge(isWrong: (at: number) => boolean): Promise<void> {
    const { status, data: job } = await claim(this.token)
    if (status !== 200) {
      // Without fitting test data, the claim itself ends the submission.
      if (this.active === -1) this.judged ??= { upload: -1, kept: new Set() }
      return
    }
    const outputs: unknown[] = []
    const kept = new Set<string>()
    const results = this.subtasks.map(({ caseCount, sample }, at) =>
      Array.from({ length: caseCount }, (_, index): CaseResult => {
        if (isWrong(at) && index > 0) return { status: null, runTime: null, memoryUsage: null }
        if (sample || isWrong(at)) {
          const text = `secret of ${at} ${index};`
          outputs.push({ ...outputOf({ task: at, stdout: text, expected: text }), case: index })
          kept.add(`${at} ${index}`)
        }
        return { status: isWrong(at) ? STATUS.WA : STATUS.AC, runTime: 3, memoryUsage: 900 }
      }),
    )
    const tasks: { taskScore: number }[] = job.tasks
    const outcome = judgeOutcome(
      results.map((cases, at) => judgeSubtask(cases, tasks[at]?.taskScore ?? 0)),
    )
    const json = { lease: job.lease, ...outcome, compileMessage: null, reason: null, outputs }
    expect((await report(this.token, job.judgementId, json)).status).toBe(200)
    this.judged = { upload: this.active, kept }
  }
}

function countsOf(subtasks: Subtask[]): string {
  return subtasks.map(({ caseCount }) => caseCount).join()
}

function entriesOf(subtasks: Subtask[]): Record<string, string> {
  const names = subtasks.flatMap(({ caseCount }, at) =>
    Array.from({ length: caseCount }, (_, index) => `0${at}0${index}`),
  )
  return Object.fromEntries(
    names.flatMap((name) => [`${name}.in`, `${name}.out`]).map((name) => [name, 'x']),
  )
}

test('a case is read by staff, and by the submitter where its subtask says samples', async () => {
  const world = await createCourse()
  const [admin, outsider, other] = [
    await createPerson(0),
    await createPerson(2),
    await createPerson(2),
  ]
  await addMember(world, other)
  const { course, student, ta, teacher } = world
  const token = await registerRunner()
  const shown = { student: 0, staff: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(subtask, { minLength: 1, maxLength: 3 }),
      fc.array(step, { minLength: 1, maxLength: 5 }),
      async (subtasks, steps) => {
        await emptyQueue()
        const judge = await World.make(course, { student, ta, teacher }, token, subtasks)
        const path = `/submission/${judge.submissionId}`
        for (const each of steps) {
          await judge.take(each)
          for (const as of [ta, teacher, admin, student, other, outsider, undefined]) {
            const isStaff = as === ta || as === teacher || as === admin
            const page = await (await fetchApi('GET', path, { ...(as && { as }) })).text()
            expect(page).not.toContain('secret of')
            for (const [at, index] of judge.cases) {
              const request = requestOf('GET', `${path}/output/${at}/${index}`, as && { as })
              const answer = await app.fetch(request, UNLIMITED, createExecutionContext())
              const text = await answer.text()
              const may = isStaff || (as === student && judge.isSample(at))
              const isExpected = may && judge.isKept(at, index)
              const who = as?.username ?? 'guest'
              expect([who, at, index, answer.status === 200]).toEqual([who, at, index, isExpected])
              expect(text.includes('secret of')).toBe(isExpected)
              if (isExpected) shown[isStaff ? 'staff' : 'student'] += 1
            }
          }
        }
      },
    ),
    { ...RUNS, examples: EXAMPLES },
  )
  // Without this check, the property would also hold if nobody ever saw an output.
  expect(Math.min(shown.student, shown.staff)).toBeGreaterThan(0)
})
