/** Handing in: the rules in brief. Long tests beside this file cover limits. */
import { describe, expect, test } from 'vitest'
import {
  CLAIMED_SUBMISSION_SECONDS,
  SOURCE_BUDGET,
  SUBMIT_LIMITS,
} from '../../../worker/features/submissions/target-queries.ts'
import { newHexId } from '../../../worker/lib/ids.ts'
import { useUp } from '../support/buckets.ts'
import { runSql } from '../support/sql.ts'
import {
  addStudents,
  call,
  createCourse,
  createPeople,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

/** Hands in a C program. */
function handIn(as: Person, problemId: number, changes: object = {}, key?: string) {
  const json = { problemId, languageType: 0, code: 'int main(){}', ...changes }
  return as.post('/submission', json, key === undefined ? {} : { 'Idempotency-Key': key })
}

/** Sends the code of a submission whose first step is done. */
function complete(as: Person, submissionId: string) {
  const form = new FormData()
  form.set('code', new File(['int main(){}'], 'main.c'))
  return call('PUT', `/submission/${submissionId}`, { as, body: form })
}

/** The first of two steps: a submission without code. */
async function claimOne(as: Person, problemId: number): Promise<string> {
  return (await as.post('/submission', { problemId, languageType: 0 })).data.submissionId
}

describe('a hand-in is refused', () => {
  test('in a language that the problem does not allow', async () => {
    const { student, problemId } = await createProblem({ allowedLanguage: 1 })
    expect((await handIn(student, problemId, { languageType: 2 })).code).toBe(
      'language_not_allowed',
    )
    expect((await handIn(student, problemId)).status).toBe(200)
  })

  test('while the problem has no test data', async () => {
    const { course, teacher, student } = await createCourse()
    const made = await teacher.post('/problem/manage', { course, ...problemForm() })
    expect((await handIn(student, made.data.problemId)).code).toBe('no_test_data')
  })

  test('faster than the rate, to who is under it [LO3]', async () => {
    const { student, ta, problemId } = await createProblem()
    const rule = { burst: SUBMIT_LIMITS.burst, intervalMs: 60_000 / SUBMIT_LIMITS.perMinute }
    for (const { id } of [student, ta]) await useUp(`submit:user:${id}`, rule)
    expect((await handIn(student, problemId)).code).toBe('too_many_submissions')
    expect((await handIn(ta, problemId)).status).toBe(200)
  })

  test('in a course that is deleted', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    expect((await teacher.delete('/course', { course })).status).toBe(200)
    expect((await handIn(student, problemId)).code).toBe('problem_not_found')
  })
})

describe('the second of two steps', () => {
  test('is for who took the first', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const [classmate] = await addStudents({ course, teacher }, 1)
    if (!classmate) throw new Error('no classmate')
    const id = await claimOne(student, problemId)
    for (const other of [classmate, teacher])
      expect((await complete(other, id)).code).toBe('submission_not_found')
    expect((await complete(student, id)).status).toBe(200)
    expect((await complete(student, id)).code).toBe('code_already_sent')
  })

  test('is held to what the problem takes by then', async () => {
    const { student, teacher, problemId } = await createProblem()
    const id = await claimOne(student, problemId)
    const edit = (changes: object) =>
      teacher.put(`/problem/manage/${problemId}`, { ...problemForm(), ...changes })
    await edit({ allowedLanguage: 4 })
    expect((await complete(student, id)).code).toBe('language_not_allowed')
    const limits = { memoryLimit: 65_536, timeLimit: 1_000 }
    await edit({ testCase: [{ ...limits, caseCount: 9, taskScore: 100 }] })
    expect((await complete(student, id)).code).toBe('no_test_data')
    await edit({ revealTests: true })
    expect((await complete(student, id)).status).toBe(200)
  })

  test('is for ten minutes, also where the sweeper is late', async () => {
    const { student, problemId } = await createProblem()
    const beginSecondsAgo = async (seconds: number) => {
      const id = newHexId(Date.now() - seconds * 1000)
      await runSql`update submissions set id = ${id} where id = ${await claimOne(student, problemId)}`
      return id
    }
    const late = await complete(student, await beginSecondsAgo(CLAIMED_SUBMISSION_SECONDS + 2))
    expect(late).toMatchObject({ status: 404, code: 'submission_not_found' })
    const inTime = await complete(student, await beginSecondsAgo(CLAIMED_SUBMISSION_SECONDS - 60))
    expect(inTime.status).toBe(200)
  })

  test('counts against the quota and the limit on source code', async () => {
    const { student, problemId } = await createProblem({ quota: 1 })
    const ids = [await claimOne(student, problemId), await claimOne(student, problemId)]
    await useUp(`source:user:${student.id}`, SOURCE_BUDGET)
    expect((await complete(student, ids[0] ?? '')).code).toBe('too_much_source')
    // The refusal stored nothing, so the same code is accepted when there is room.
    await runSql`delete from rate_limits where key = ${`source:user:${student.id}`}`
    expect((await complete(student, ids[0] ?? '')).status).toBe(200)
    const other = await createProblem({ quota: 1 })
    const first = await claimOne(other.student, other.problemId)
    const second = await claimOne(other.student, other.problemId)
    expect((await complete(other.student, first)).status).toBe(200)
    expect((await complete(other.student, second)).code).toBe('quota_exceeded')
  })
})

describe('an Idempotency-Key', () => {
  test('answers the same submission to the same person, and refuses other code', async () => {
    const { course, teacher, student, problemId } = await createProblem()
    const [classmate] = await addStudents({ course, teacher }, 1)
    if (!classmate) throw new Error('no classmate')
    const first = (await handIn(student, problemId, {}, 'one key')).data.submissionId
    expect((await handIn(student, problemId, {}, 'one key')).data.submissionId).toBe(first)
    expect((await handIn(student, problemId, { code: 'other' }, 'one key')).code).toBe(
      'idempotency_mismatch',
    )
    const other = await teacher.post('/problem/manage', { course, ...problemForm() })
    await uploadZip(teacher, other.data.problemId, FITTING_ENTRIES)
    for (const changes of [{ languageType: 1 }, { problemId: other.data.problemId }])
      expect((await handIn(student, problemId, changes, 'one key')).code).toBe(
        'idempotency_mismatch',
      )
    expect((await handIn(classmate, problemId, {}, 'one key')).data.submissionId).not.toBe(first)
  })
})

describe('a submission is read', () => {
  test('by its student while in the course, by staff, and by nobody else', async () => {
    const { course, teacher, student, ta, problemId } = await createProblem()
    const [classmate] = await addStudents({ course, teacher }, 1)
    const [outsider] = await createPeople(2)
    if (!classmate) throw new Error('no classmate')
    const id = await submit(student, problemId)
    const read = async (as: Person) => (await as.get(`/submission/${id}`)).status
    expect(await Promise.all([student, ta, teacher].map(read))).toEqual([200, 200, 200])
    expect(await Promise.all([classmate, outsider].map(read))).toEqual([404, 404])
    const listed = (await classmate.get(`/submission?course=${course}`)).data.submissions
    expect(listed).toEqual([])
    const [own] = (await student.get(`/submission?course=${course}`)).data.submissions
    expect(own).toMatchObject({ submissionId: id })
    expect(own).not.toHaveProperty('ipAddr')
    const [seen] = (await ta.get(`/submission?course=${course}`)).data.submissions
    expect(seen).toHaveProperty('ipAddr')
    await teacher.patch(`/course/${course}/members`, { remove: [student.username] })
    expect(await read(student)).toBe(404)
  })
})
