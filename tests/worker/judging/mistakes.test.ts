/** The mistake of a failed submission stands in its judgement, and the newest one in the summary of the person's results. */
import { beforeEach, describe, expect, test } from 'vitest'
import { STATUS, type Verdict } from '#contract/verdicts'
import { claim, emptyQueue, report, reportOf } from '../support/judge.ts'
import { packLater, packOf } from '../support/packs.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { firstRow, firstValue, runSql } from '../support/sql.ts'
import { finishOperations } from '../support/step-queue.ts'
import { createProblem, registerRunner, submit, type CallOptions } from '../support/world.ts'

beforeEach(emptyQueue)

const [ONE, TWO, THREE] = ['1', '2', '3'].map((digit) => digit.repeat(16))

/** A result with a mistake; undefined: as of a host that tells none. */
interface Told {
  status: Verdict
  mistake?: string | null | undefined
}

const wrong = (mistake?: string): Told => ({ status: STATUS.WA, mistake })
const ACCEPTED: Told = { status: STATUS.AC }

interface Job {
  judgementId: string
  lease: string
}

/** A problem with a student, a host, and the facts that the database keeps of them. */
async function createTries() {
  const world = await createProblem()
  const { ta, student, problemId } = world
  const token = await registerRunner()
  const tell = async (job: Job, { status, mistake }: Told) => {
    const json = { ...reportOf(job.lease, status), mistake }
    expect((await report(token, job.judgementId, json)).status).toBe(200)
  }
  const judgeNext = async (told: Told) => tell((await claim(token)).data, told)
  return {
    ...world,
    token,
    tell,
    judgeNext,
    /** Hands in programs and judges each at once. */
    judged: async (...results: Told[]) => {
      const ids: string[] = []
      for (const result of results) {
        ids.push(await submit(student, problemId))
        await judgeNext(result)
      }
      return ids as [string, string, string]
    },
    rejudge: async (id: string) =>
      expect((await ta.post(`/submission/${id}/rejudge`)).status).toBe(200),
    newest: async () => {
      const row = await firstRow<{ id: string | null; mistake: string | null }>`
        select failed_id as id, mistake from problem_results where problem_id = ${problemId}`
      return row && [row.id, row.mistake]
    },
    ofJudgement: (id: string) =>
      firstValue`select j.mistake from submissions s join judgements j on j.id = s.judgement_id where s.id = ${id}`,
  }
}

const NONE = [null, null]

describe('the newest failed submission counts', () => {
  test.each([
    ['first', [0, 1, 2]],
    ['last', [2, 1, 0]],
    ['in the middle', [0, 2, 1]],
  ])('also if the verdicts come in another order: that of the oldest %s', async (_name, order) => {
    const { student, problemId, token, tell, newest, ofJudgement } = await createTries()
    const ids: string[] = []
    for (const _mistake of order) ids.push(await submit(student, problemId))
    const jobs: Job[] = []
    for (const _mistake of order) jobs.push((await claim(token)).data)
    const mistakes = [ONE, TWO, THREE]
    for (const [nth, at] of order.entries()) {
      const job = jobs[at]
      if (!job) throw new Error('a job is missing')
      // The same result again changes nothing.
      for (const _time of [1, 2]) await tell(job, wrong(mistakes[at]))
      const last = Math.max(...order.slice(0, nth + 1))
      expect(await newest()).toEqual([ids[last], mistakes[last]])
    }
    expect(await Promise.all(ids.map(ofJudgement))).toEqual(mistakes)
  })

  test.each<[string, Told]>([
    ['an accepted one', ACCEPTED],
    ['an accepted one of which a host tells a mistake', { status: STATUS.AC, mistake: TWO }],
    ['a Judge Error', { status: STATUS.JE }],
    ['a Judge Error of which a host tells a mistake', { status: STATUS.JE, mistake: TWO }],
    ['one whose host tells no mistake', wrong()],
    ['one whose host knows no mistake', { status: STATUS.WA, mistake: null }],
  ])('and %s after it changes nothing', async (_name, later) => {
    const { judged, newest, ofJudgement } = await createTries()
    const [failed, other] = await judged(wrong(ONE), later)
    expect(await newest()).toEqual([failed, ONE])
    expect(await ofJudgement(other)).toBe(null)
  })

  test.each([STATUS.WA, STATUS.CE, STATUS.TLE, STATUS.MLE, STATUS.RE, STATUS.OLE])(
    'with verdict %s',
    async (status) => {
      const { judged, newest } = await createTries()
      const [, id] = await judged(wrong(ONE), { status, mistake: TWO })
      expect(await newest()).toEqual([id, TWO])
    },
  )

  test('and while it waits it is not known', async () => {
    const { student, problemId, newest, judged } = await createTries()
    await submit(student, problemId)
    expect(await newest()).toEqual(NONE)
    await emptyQueue()
    await judged(ACCEPTED)
    expect(await newest()).toEqual(NONE)
  })

  test('for each person and problem', async () => {
    const first = await createTries()
    const second = await createTries()
    const [one] = await first.judged(wrong(ONE))
    const [two] = await second.judged(wrong(TWO))
    expect([await first.newest(), await second.newest()]).toEqual([
      [one, ONE],
      [two, TWO],
    ])
  })

  test('and a mistake of another form is refused', async () => {
    const { student, problemId, token, newest } = await createTries()
    await submit(student, problemId)
    const { judgementId, lease } = (await claim(token)).data
    const answer = await report(token, judgementId, {
      ...reportOf(lease, STATUS.WA),
      mistake: 'subtask 1, case 0',
    })
    expect(answer).toMatchObject({ status: 400, code: 'bad_body' })
    expect(await newest()).toEqual(NONE)
  })
})

describe('after a rejudge', () => {
  test('an older failed submission takes the place of one that is accepted now, or none does', async () => {
    const { judged, rejudge, judgeNext, newest, ofJudgement } = await createTries()
    const [first, second] = await judged(wrong(ONE), wrong(TWO), ACCEPTED)
    await rejudge(second)
    expect(await newest()).toEqual([first, ONE])
    await judgeNext(ACCEPTED)
    expect(await newest()).toEqual([first, ONE])
    expect(await ofJudgement(second)).toBe(null)
    await rejudge(first)
    expect(await newest()).toEqual(NONE)
    await judgeNext(ACCEPTED)
    expect(await newest()).toEqual(NONE)
  })

  test('the submission has its new mistake, and an older one without a known mistake is passed over', async () => {
    const { judged, rejudge, judgeNext, newest } = await createTries()
    const [first, , third] = await judged(wrong(ONE), wrong(), wrong(TWO))
    await rejudge(third)
    expect(await newest()).toEqual([first, ONE])
    await judgeNext(wrong(THREE))
    expect(await newest()).toEqual([third, THREE])
    await rejudge(first)
    expect(await newest()).toEqual([third, THREE])
    await judgeNext(wrong(TWO))
    expect(await newest()).toEqual([third, THREE])
  })

  test('of all submissions, only once it is applied', async () => {
    const { ta, problemId, token, judged, tell, newest } = await createTries()
    const [first, second, third] = await judged(wrong(ONE), wrong(TWO), wrong(THREE))
    const { jobId } = (await ta.post(`/problem/${problemId}/rejudge`, {})).data
    await finishOperations(jobId)
    for (const _id of [first, second, third]) {
      const job = (await claim(token)).data
      await tell(job, job.submissionId === second ? wrong(ONE) : ACCEPTED)
      expect(await newest()).toEqual([third, THREE])
    }
    await finishOperations(jobId)
    expect(await newest()).toEqual([second, ONE])
  })
})

describe('after cancelling', () => {
  test('a first judging nothing changes; a rejudge, the earlier mistake counts again', async () => {
    const { student, ta, problemId, judged, rejudge, newest } = await createTries()
    const [first, second] = await judged(wrong(ONE), wrong(TWO))
    const waiting = await submit(student, problemId)
    expect((await student.post(`/submission/${waiting}/cancel`)).status).toBe(200)
    expect(await newest()).toEqual([second, TWO])
    await rejudge(second)
    expect(await newest()).toEqual([first, ONE])
    expect((await ta.post(`/submission/${second}/cancel`)).status).toBe(200)
    expect(await newest()).toEqual([second, TWO])
  })

  test('a rejudge of a submission that was in a pack, its mistake is back, too', async () => {
    const { ta, judged, rejudge, newest, ofJudgement } = await createTries()
    await runSql`delete from sweep_positions`
    const [id] = await judged(wrong(ONE))
    await packLater()
    expect(await packOf(id)).not.toBe(null)
    expect(await newest()).toEqual([id, ONE])
    await rejudge(id)
    expect(await newest()).toEqual(NONE)
    expect((await ta.post(`/submission/${id}/cancel`)).status).toBe(200)
    expect([await newest(), await ofJudgement(id)]).toEqual([[id, ONE], ONE])
  })
})

describe('a mistake costs no row', () => {
  /** Rows that a call reads and writes. */
  async function rowsOf(method: string, path: string, options: CallOptions) {
    const { status, text, trips } = await recordCall(method, path, options)
    expect(status, text).toBe(200)
    const sum = (of: 'rowsRead' | 'rowsWritten') => trips.reduce((all, trip) => all + trip[of], 0)
    return { trips: trips.length, read: sum('rowsRead'), written: sum('rowsWritten') }
  }

  /** Rows of a verdict, and of handing in once more in one and in two steps. */
  async function costs(told: Told, before: Told) {
    const { student, problemId, token, judged } = await createTries()
    await judged(before)
    await submit(student, problemId)
    const { judgementId, lease } = (await claim(token)).data
    const verdict = await rowsOf('PUT', `/runner/jobs/${judgementId}/result`, {
      token,
      json: { ...reportOf(lease, told.status), mistake: told.mistake },
    })
    const form = { problemId, languageType: 0 }
    const handIn = await rowsOf('POST', '/submission', {
      as: student,
      json: { ...form, code: 'x' },
    })
    const { submissionId } = (await student.post('/submission', form)).data
    const body = new FormData()
    body.set('code', new File(['x'], 'main.c'))
    const code = await rowsOf('PUT', `/submission/${submissionId}`, { as: student, body })
    return { verdict, handIn, code }
  }

  test('neither read nor written, with a verdict and with handing in', async () => {
    const without = await costs(wrong(), wrong())
    expect(await costs(wrong(TWO), wrong(ONE))).toEqual(without)
    // The same as before mistakes were kept.
    expect(without).toEqual({
      verdict: { trips: 3, read: 21, written: 7 },
      handIn: { trips: 3, read: 43, written: 19 },
      code: { trips: 3, read: 31, written: 12 },
    })
  })
})
