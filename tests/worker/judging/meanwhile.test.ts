/** Events in the middle of a call or of a judging, rather than before or after it. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { openDb } from '../../../worker/db/client.ts'
import type { SessionUser } from '../../../worker/db/sessions.ts'
import { completeSubmission, requireClaimed } from '../../../worker/features/submissions/create.ts'
import { deleteStaleClaims } from '../../../worker/features/submissions/create-queries.ts'
import { CLAIMED_SUBMISSION_SECONDS } from '../../../worker/features/submissions/target-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, createClaimedJob, emptyQueue, report, reportOf } from '../support/judge.ts'
import { firstRow, firstValue } from '../support/sql.ts'
import {
  createPerson,
  createProblem,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

const db = openDb(env.DB)

beforeEach(emptyQueue)

/** A person as the guard of a call has read them. */
const actorOf = ({ id, username }: Person): SessionUser => ({
  id,
  username,
  displayedName: '',
  role: 2,
  email: `${username}@example.test`,
  emailConfirmedAt: 1,
  confirmDueAt: null,
  bio: '',
})

/** A submission that a call with its code has found, and a function that completes this call. */
async function createFound() {
  const { student, ta, problemId } = await createProblem()
  const claimed = await student.post('/submission', { problemId, languageType: 0 })
  const id: string = claimed.data.submissionId
  const change = { actor: actorOf(student), ip: '192.0.2.1', now: nowSeconds() }
  const found = await requireClaimed(db, id, change)
  const complete = () =>
    completeSubmission(db, id, found, new File(['int main(){}'], 'main.c'), change)
  /** Its rows: the submission, its code, its judgements. */
  const rows = () =>
    firstRow`select (select count(*) from submissions where id = ${id}) as submissions,
      (select count(*) from submission_sources where submission_id = ${id}) as sources,
      (select count(*) from judgements where submission_id = ${id}) as judgements`
  return { ta, student, id, found, change, complete, rows }
}

test('code whose submission is swept away while it is sent leaves nothing behind', async () => {
  const { complete, rows, student } = await createFound()
  await deleteStaleClaims(db, nowSeconds() + 60)
  await expect(complete()).rejects.toMatchObject({ code: 'submission_not_found' })
  expect(await rows()).toEqual({ submissions: 0, sources: 0, judgements: 0 })
  const tries = await firstValue`select count(*) from problem_results where user_id = ${student.id}`
  expect(tries).toBe(0)
})

test('code that is sent for longer than the ten minutes comes too late, wherever the sweeper is', async () => {
  const { found, change, id, rows } = await createFound()
  const late = { ...change, now: change.now + CLAIMED_SUBMISSION_SECONDS + 60 }
  const code = new File(['int main(){}'], 'main.c')
  await expect(completeSubmission(db, id, found, code, late)).rejects.toMatchObject({
    code: 'submission_not_found',
  })
  expect(await rows()).toEqual({ submissions: 1, sources: 0, judgements: 0 })
})

test('a submission whose code came at the last moment is not swept away', async () => {
  const { ta, id, complete, rows } = await createFound()
  await complete()
  await deleteStaleClaims(db, nowSeconds() + 60)
  expect(await rows()).toEqual({ submissions: 1, sources: 1, judgements: 1 })
  expect((await ta.get(`/submission/${id}`)).data).toMatchObject({
    status: STATUS.PENDING,
    code: 'int main(){}',
  })
})

test('the result of a person who is erased while a host judges counts without a name or an address', async () => {
  const { student, ta, problemId, token, id, job } = await createClaimedJob()
  const admin = await createPerson(0)
  expect((await admin.delete(`/user/${student.username}`)).status).toBe(200)
  expect((await report(token, job.judgementId, reportOf(job.lease))).status).toBe(200)
  expect((await ta.get(`/submission/${id}`)).data).toMatchObject({
    status: STATUS.AC,
    score: 100,
    ipAddr: '',
    user: { username: `*${student.id}`, displayedName: '' },
  })
  const reached = await firstRow`select tries, best_score from problem_results
    where problem_id = ${problemId} and user_id = ${student.id}`
  expect(reached).toEqual({ tries: 1, best_score: 100 })
})

test('what waits of a person who is erased is judged all the same', async () => {
  const { student, ta, problemId } = await createProblem()
  const id = await submit(student, problemId)
  await (await createPerson(0)).delete(`/user/${student.username}`)
  const token = await registerRunner()
  const { submissionId, judgementId, lease } = (await claim(token)).data
  expect(submissionId).toBe(id)
  await report(token, judgementId, reportOf(lease, STATUS.WA))
  expect((await ta.get(`/submission/${id}`)).data.status).toBe(STATUS.WA)
})

test('a job whose problem is deleted while a host has it is still judged, and shown to nobody new', async () => {
  const { student, teacher, problemId, token, id, job } = await createClaimedJob()
  expect((await teacher.delete(`/problem/manage/${problemId}`)).status).toBe(200)
  expect((await report(token, job.judgementId, reportOf(job.lease))).status).toBe(200)
  const status = await firstValue`select status from submissions where id = ${id}`
  expect(status).toBe(STATUS.AC)
  expect((await student.get(`/problem/${problemId}`)).status).toBe(404)
})

test('a result that comes while its course is deleted is there when the course is restored', async () => {
  const { student, teacher, course, token, id, job } = await createClaimedJob()
  await teacher.delete('/course', { course })
  expect((await report(token, job.judgementId, reportOf(job.lease))).status).toBe(200)
  expect((await student.get(`/submission/${id}`)).status).toBe(404)
  await teacher.post(`/course/${course}/restore`)
  expect((await student.get(`/submission/${id}`)).data).toMatchObject({ status: STATUS.AC })
})
