/** Which results come from earlier test data, limits, scores or comparison modes. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { claim, emptyQueue, judgeAll } from '../support/judge.ts'
import { runSql } from '../support/sql.ts'
import {
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'

beforeEach(emptyQueue)

const FIXED = { ...FITTING_ENTRIES, '0101.out': '11\n' }

describe('results count as earlier', () => {
  test('after a change of data, limits, scores or comparison, and after no other', async () => {
    const { teacher, ta, student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    await judgeAll(token)
    await runSql`update judgements set claimed_at = claimed_at - 2`
    const path = `/problem/manage/${problemId}`
    const form = (await teacher.get(path)).data
    const [sample, scored] = form.testCase
    const count = async () => (await ta.get(`/problem/${problemId}/rejudge`)).data.earlierCount
    const forget = () =>
      runSql`update problems set judging_changed_at_ms = null where id = ${problemId}`
    await forget()
    const harmless = { problemName: 'Other', quota: 3, status: 1, tags: ['x'] }
    for (const change of [{}, harmless, { testCase: [{ ...sample, sample: false }, scored] }]) {
      expect((await teacher.put(path, { ...form, ...change })).status).toBe(200)
      expect(await count()).toBe(0)
    }
    const changes = [
      { testCase: [sample, { ...scored, timeLimit: 2_000 }] },
      { testCase: [sample, { ...scored, memoryLimit: 70_000 }] },
      { testCase: [sample, { ...scored, outputLimit: 70 }] },
      {
        testCase: [
          { ...sample, taskScore: 10 },
          { ...scored, taskScore: 90 },
        ],
      },
      { compare: { mode: 'exact' } },
      { testCase: [sample, { ...scored, caseCount: 3 }] },
    ]
    for (const change of changes) {
      await teacher.put(path, { ...form, revealTests: true })
      await forget()
      expect((await teacher.put(path, { ...form, ...change, revealTests: true })).status).toBe(200)
      expect([change, await count()]).toEqual([change, 1])
    }
  })

  test('also those claimed while the change was on its way to the database', async () => {
    const { teacher, ta, student, problemId } = await createProblem()
    const token = await registerRunner()
    const path = `/problem/manage/${problemId}`
    const { data: form } = await teacher.get(path)
    const change = {
      data: () => uploadZip(teacher, problemId, FIXED),
      form: () => teacher.put(path, { ...form, compare: { mode: 'exact' } }),
    }
    for (const [index, save] of [change.data, change.form].entries()) {
      await submit(student, problemId)
      await judgeAll(token)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 5_000 })
      const saved = await save().finally(() => vi.useRealTimers())
      expect(saved.status).toBe(200)
      const { earlierCount } = (await ta.get(`/problem/${problemId}/rejudge`)).data
      expect(earlierCount).toBe(index + 1)
    }
  })

  test('also Judge Errors of those whose turn came while no test data fitted', async () => {
    const world = await createProblem()
    const { teacher, ta, student, problemId } = world
    const token = await registerRunner()
    const path = `/problem/manage/${problemId}`
    const { data: form } = await teacher.get(path)
    const id = await submit(student, problemId)
    const testCase = [form.testCase[0], { ...form.testCase[1], caseCount: 1 }]
    expect((await teacher.put(path, { ...form, testCase })).status).toBe(200)
    await runSql`update problems set judging_changed_at_ms = judging_changed_at_ms - 5000`
    expect((await claim(token)).status).toBe(204)
    expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.JE)
    const { '0101.in': _in, '0101.out': _out, ...fitting } = FITTING_ENTRIES
    expect((await uploadZip(teacher, problemId, fitting)).status).toBe(200)
    const { data } = await ta.get(`/problem/${problemId}/rejudge`)
    expect(data.earlierCount).toBe(1)
  })

  test('not those claimed after the change, nor those that wait', async () => {
    const { teacher, ta, student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    await uploadZip(teacher, problemId, FIXED)
    const count = async () => (await ta.get(`/problem/${problemId}/rejudge`)).data.earlierCount
    expect(await count()).toBe(0)
    await judgeAll(token)
    await runSql`update judgements set claimed_at = claimed_at + 2`
    expect(await count()).toBe(0)
    const earlierOnly = { earlierOnly: true }
    expect((await ta.post(`/problem/${problemId}/rejudge`, earlierOnly)).data.count).toBe(0)
  })
})
