/** A class polls for its verdicts. */
import { expect, test } from 'vitest'
import { POLLING_MS } from '../../../web/lib/api/polling.ts'
import { QUEUE_POSITION_SECONDS } from '../../../worker/features/submissions/pending-tag.ts'
import { claim, report, reportOf } from '../support/judge.ts'
import { runSql } from '../support/sql.ts'
import {
  addStudents,
  createProblem,
  fetchApi,
  registerRunner,
  submit,
  type Person,
} from '../support/world.ts'

/** Reads a submission as its page does while it waits. */
async function poll(as: Person, id: string, tag = '') {
  const response = await fetchApi('GET', `/submission/${id}`, {
    as,
    headers: { 'If-None-Match': tag },
  })
  await response.arrayBuffer()
  return { id, status: response.status, tag: response.headers.get('ETag') ?? '' }
}

test('200 students whose programs are being judged are answered 304 until theirs has a verdict [LO2]', async () => {
  const world = await createProblem()
  const students = await addStudents(world, 200)
  const ids = await Promise.all(students.map((as) => submit(as, world.problemId)))
  const tokens = await Promise.all(Array.from({ length: 4 }, () => registerRunner()))
  const jobs = []
  for (const index of ids.keys()) {
    jobs.push((await claim(tokens[index % 4] ?? '')).data)
    // Keeps leases from ending on a slow machine.
    await runSql`update judgements set lease_until = ${1e10} where state = 'leased'`
  }
  const waiting = await Promise.all(
    students.map(async (as, index) => ({ as, ...(await poll(as, ids[index] ?? '')) })),
  )
  const { judgementId, submissionId, lease } = jobs[0]
  await report(tokens[0] ?? '', judgementId, reportOf(lease))
  for (const news of [[submissionId], [], []]) {
    const changed: string[] = []
    await Promise.all(
      waiting.map(async (one) => {
        const { status, tag } = await poll(one.as, one.id, one.tag)
        if (status !== 304) changed.push(one.id)
        one.tag = tag
      }),
    )
    expect(changed).toEqual(news)
  }
})

test('a queue position gets old enough for nine of ten polls to be answered 304 [LO2]', () => {
  expect(QUEUE_POSITION_SECONDS * 1_000).toBeGreaterThanOrEqual(10 * POLLING_MS.later)
})
