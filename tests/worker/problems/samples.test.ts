import { beforeEach, describe, expect, test } from 'vitest'
import { emptyQueue, outputOf, claim, report, reportOf } from '../support/judge.ts'
import {
  createCourse,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** A form whose subtasks have these points and one case each. */
function formOf(...subtasks: [points: number, sample?: boolean][]) {
  const limits = { caseCount: 1, memoryLimit: 65_536, timeLimit: 1000 }
  return problemForm({
    testCase: subtasks.map(([taskScore, sample]) => ({ ...limits, taskScore, sample })),
  })
}

describe('the mark of samples', () => {
  test('says what students see, whatever the points', async () => {
    const { course, teacher } = await createCourse()
    const form = formOf([10, true], [0, false], [90, false], [0, true])
    const { data } = await teacher.post('/problem/manage', { course, ...form })
    const read = await teacher.get(`/problem/${data.problemId}`)
    expect(read.data.testCase.map(({ sample }: { sample: boolean }) => sample)).toEqual([
      true,
      false,
      false,
      true,
    ])
    const copy = await teacher.post(`/problem/${data.problemId}/copy`, { course })
    const copied = await teacher.get(`/problem/${copy.data.problemId}`)
    expect(copied.data.testCase).toEqual(read.data.testCase)
  })

  test('left out, it holds for subtasks without points before the first with points', async () => {
    const { course, teacher } = await createCourse()
    const made = await teacher.post('/problem/manage', { course, ...formOf([0], [0], [100]) })
    const read = await teacher.get(`/problem/${made.data.problemId}`)
    expect(read.data.testCase.map(({ sample }: { sample: boolean }) => sample)).toEqual([
      true,
      true,
      false,
    ])
    const refused = await teacher.post('/problem/manage', { course, ...formOf([100], [0], [0]) })
    expect(refused.status).toBe(400)
    expect(refused.data).toMatchObject([
      { path: ['testCase', 1, 'sample'], code: 'sample_unsaid' },
      { path: ['testCase', 2, 'sample'], message: expect.stringContaining('Send true') },
    ])
  })

  test('left out of a change, it stays as stored where the points stay', async () => {
    const { course, teacher } = await createCourse()
    const form = formOf([0, false], [10, true], [90, false])
    const { data } = await teacher.post('/problem/manage', { course, ...form })
    const path = `/problem/manage/${data.problemId}`
    async function marksAfter(...points: [points: number][]) {
      expect((await teacher.put(path, formOf(...points))).status).toBe(200)
      const read = await teacher.get(path)
      return read.data.testCase.map(({ sample }: { sample: boolean }) => sample)
    }
    expect(await marksAfter([0], [10], [90])).toEqual([false, true, false])
    // The first subtask is gone, so this is another one: its cases were never shown.
    expect(await marksAfter([10], [90])).toEqual([false, false])
    expect(await marksAfter([0], [0], [100])).toEqual([true, true, false])
    expect((await teacher.put(path, formOf([50], [0], [50]))).status).toBe(200)
    expect((await teacher.put(path, formOf([100], [0], [0]))).data).toMatchObject([
      { path: ['testCase', 2, 'sample'], code: 'sample_unsaid' },
    ])
  })
})

describe('hidden tests', () => {
  test('are shown to nobody by an edit that does not say so', async () => {
    const { student, teacher, problemId } = await createProblem()
    const path = `/problem/manage/${problemId}`
    const form = (await teacher.get(path)).data
    const [sample, scored] = form.testCase
    // Without submissions there are no kept outputs that could be seen.
    const marked = {
      ...form,
      testCase: [sample, { ...scored, taskScore: 0, sample: true }, scored],
    }
    expect((await teacher.put(path, marked)).status).toBe(200)
    expect((await teacher.put(path, form)).status).toBe(200)
    const token = await registerRunner()
    const id = await submit(student, problemId)
    const job = (await claim(token)).data
    await report(token, job.judgementId, reportOf(job.lease, 1, [outputOf({ task: 1 })]))
    const output = `/submission/${id}/output/1/0`
    const revealing = {
      ...form,
      testCase: [
        { ...sample, sample: false },
        { ...scored, sample: true },
      ],
    }
    const refused = await teacher.put(path, revealing)
    expect([refused.status, refused.code, refused.data]).toEqual([
      409,
      'reveals_tests',
      { subtasks: [1] },
    ])
    expect((await teacher.get(path)).data.testCase).toEqual(form.testCase)
    expect((await student.get(output)).status).toBe(404)

    expect((await teacher.put(path, { ...revealing, revealTests: true })).status).toBe(200)
    expect((await student.get(output)).status).toBe(200)
    // The subtask is now a sample. Its second case passed before, so no output of that case was kept.
    expect((await student.get(`/submission/${id}/output/1/1`)).code).toBe('output_not_found')
    expect((await teacher.put(path, { ...revealing, problemName: 'Other' })).status).toBe(200)
    expect((await teacher.put(path, form)).code).toBe('reveals_tests')
  })

  test('of the old test data stay hidden while those that the marks are for are uploaded', async () => {
    const { student, teacher, problemId } = await createProblem()
    const path = `/problem/manage/${problemId}`
    const token = await registerRunner()
    const id = await submit(student, problemId)
    const job = (await claim(token)).data
    await report(token, job.judgementId, reportOf(job.lease, 1, [outputOf({ task: 1 })]))
    const form = (await teacher.get(path)).data
    const [sample, scored] = form.testCase
    const marked = {
      ...form,
      testCase: [
        { ...sample, sample: false },
        { ...scored, sample: true },
      ],
      awaitsTestData: true,
    }
    const output = () => student.get(`/submission/${id}/output/1/0`)
    const marks = async () =>
      (await teacher.get(path)).data.testCase.map((each: { sample: boolean }) => each.sample)
    expect((await teacher.put(path, marked)).code).toBe('reveals_tests')
    expect((await teacher.put(path, { ...marked, revealTests: true })).status).toBe(200)
    expect([await marks(), (await output()).status]).toEqual([[false, false], 404])
    const copy = await teacher.post(`/problem/${problemId}/copy`, { course: form.course })
    // A zip that does not fit changes nothing.
    expect((await uploadZip(teacher, problemId, { '0000.in': '', '0000.out': '' })).status).toBe(
      400,
    )
    expect([await marks(), (await output()).status]).toEqual([[false, false], 404])

    expect((await uploadZip(teacher, problemId, FITTING_ENTRIES)).status).toBe(200)
    expect([await marks(), (await output()).status]).toEqual([[false, true], 404])
    await uploadZip(teacher, copy.data.problemId, FITTING_ENTRIES)
    const copied = await teacher.get(`/problem/${copy.data.problemId}`)
    expect(copied.data.testCase[1].sample).toBe(false)
  })

  test('are not shown by way of other test data either', async () => {
    const { student, teacher, problemId } = await createProblem()
    await submit(student, problemId)
    const path = `/problem/manage/${problemId}`
    const form = (await teacher.get(path)).data
    const [sample, scored] = form.testCase
    const shown = { ...scored, sample: true }
    const other = { ...form, testCase: [{ ...sample, sample: false, caseCount: 2 }, shown] }
    expect((await teacher.put(path, other)).data).toEqual({ subtasks: [1] })
    expect((await teacher.put(path, { ...form, testCase: [{ ...scored }] })).status).toBe(200)
    expect((await teacher.put(path, other)).data).toEqual({ subtasks: [1] })
    expect((await teacher.put(path, form)).data).toEqual({ subtasks: [0] })
    expect((await teacher.put(path, { ...form, revealTests: true })).status).toBe(200)
    // A mark that stays may then belong to other cases.
    const larger = { ...form, testCase: [{ ...sample, caseCount: 2 }, scored] }
    expect((await teacher.put(path, larger)).data).toEqual({ subtasks: [0] })
    const split = [sample, { ...scored, taskScore: 40 }, { ...scored, taskScore: 60 }]
    expect((await teacher.put(path, { ...form, testCase: split })).data).toEqual({ subtasks: [0] })
    const hidden = { ...form, testCase: [sample, { ...scored, caseCount: 3 }] }
    expect((await teacher.put(path, hidden)).status).toBe(200)
  })

  test('there are some, unless it is said that there are none', async () => {
    const { course, teacher } = await createCourse()
    const form = { course, ...formOf([40, true], [60, true]) }
    const refused = await teacher.post('/problem/manage', form)
    expect([refused.code, refused.data]).toEqual(['reveals_tests', { subtasks: [0, 1] }])
    const made = await teacher.post('/problem/manage', { ...form, revealTests: true })
    const path = `/problem/manage/${made.data.problemId}`
    expect((await teacher.put(path, form)).status).toBe(200)
    expect((await teacher.put(path, formOf([40, true], [60, false]))).status).toBe(200)
    const { code, data } = await teacher.put(path, form)
    expect([code, data]).toEqual(['reveals_tests', { subtasks: [1] }])
    // Now only samples are left.
    expect((await teacher.put(path, formOf([100, true]))).data).toEqual({ subtasks: [0] })
  })
})
