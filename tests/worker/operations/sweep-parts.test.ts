/** One sweep deletes everything whose time is over, and keeps the rest, exact to the second. */
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { RUNNERS, RUNS } from '#contract/limits'
import { sweep } from '../../../worker/background/sweep.ts'
import { PRIVACY, SWEEP } from '../../../worker/db/retention.ts'
import { OPERATIONS } from '../../../worker/features/operations/queries.ts'
import { CLAIMED_SUBMISSION_SECONDS } from '../../../worker/features/submissions/target-queries.ts'
import { hexIdAt } from '../../../worker/lib/ids.ts'
import { emptyQueue } from '../support/judge.ts'
import { workerEnv } from '../support/step-queue.ts'
import { firstValue, runSql } from '../support/sql.ts'
import { createPeople, createProblem, submit } from '../support/world.ts'

const NOW = 2_000_000_000
const DAY = 86_400

/** An id made this many seconds before the sweep. */
const idOf = (ago: number) => hexIdAt((NOW - ago) * 1000).padEnd(24, '0')

/** Stores a finished sample run. */
async function insertRun(userId: number, id: string, problemId: number): Promise<void> {
  await runSql`insert into judgements (id, user_id, state, priority, rank, queued_at, ticket_at, phase, cases_total, finished_at)
    values (${id}, ${userId}, 'done', 1, 0, 1, 1, 'running', 0, 1)`
  await runSql`insert into sample_runs (user_id, id, problem_id, language_type, sample_count)
    values (${userId}, ${id}, ${problemId}, 0, 0)`
}

/** The rows left in a table, by the column that identifies them. */
async function left(table: string, column: string, where = '1') {
  const { results } = await env.DB.prepare(
    `select ${column} as name from ${table} where ${where} order by 1`,
  ).all<{ name: unknown }>()
  return results.map(({ name }) => name)
}

test('a sweep ends what is over and leaves what is not', async () => {
  const { problemId, student, course } = await createProblem()
  const [other, third] = await createPeople(2, 2)
  await emptyQueue()
  await runSql`delete from sessions`
  await runSql`delete from rate_limits`
  await runSql`insert into rate_limits (key, full_at_ms, allowed)
    values ('full', ${NOW * 1000 - 1}, 1), ('not yet', ${NOW * 1000}, 1)`
  const absolute = 30 * DAY
  for (const [person, created] of [
    [student, NOW - absolute - 1],
    [other, NOW - absolute],
  ] as const) {
    await runSql`insert into sessions (token_hash, user_id, created_at, last_seen_at, confirmed_at, shared, ip, agent)
      values (${`s${person.id}`}, ${person.id}, ${created}, ${NOW}, 1, 0, '', '')`
    await runSql`insert into account_links (user_id, purpose, token_hash, expires_at)
      values (${person.id}, 'reset', ${`l${person.id}`}, ${person === student ? NOW - 1 : NOW})`
  }
  const claim = CLAIMED_SUBMISSION_SECONDS
  for (const [ago, status] of [
    [claim + 1, -2],
    [claim, -2],
    [claim + 2, 0],
  ] as const)
    await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, quota_used, ip, created_at)
      select ${idOf(ago)}, ${problemId}, course_id, ${student.id}, 0, ${status}, 0, '', 1 from problems where id = ${problemId}`
  for (const [person, ago] of [
    [student, RUNS.seconds + 1],
    [other, RUNS.seconds],
  ] as const)
    await insertRun(person.id, idOf(ago), problemId)
  const days = (count: number, more = 0) => idOf(count * DAY + more)
  const [old, kept] = [days(SWEEP.operationDays, 1), days(SWEEP.operationDays)]
  const [open, stalled] = [days(40), days(41)]
  for (const [id, finished, sent] of [
    [old, 1, 1],
    [kept, 1, 1],
    [open, null, NOW - OPERATIONS.stalledSeconds],
    [stalled, null, NOW - OPERATIONS.stalledSeconds - 1],
  ]) {
    await runSql`insert into operations (id, kind, state, total, owner_id, payload, sent_at, created_at, finished_at)
      values (${id}, 'copycat', 'running', 1, ${third.id}, '{}', ${sent}, 1, ${finished})`
  }
  await runSql`delete from runners`
  for (const [id, silent, itself] of [
    ['gone', RUNNERS.silentSeconds + 1, 1],
    ['silent', RUNNERS.silentSeconds - 1, 1],
    ['added', RUNNERS.silentSeconds + 1, 0],
  ] as const)
    await runSql`insert into runners (id, name, token_hash, state, slots, free, version, self_registered, created_at, heartbeat_at)
      values (${id}, ${id}, ${id}, 'active', 1, 1, '', ${itself}, 1, ${NOW - silent})`
  for (const [id, ago] of [
    ['over', DAY + 1],
    ['under way', DAY],
  ] as const) {
    const { uploadId } = await env.BUCKET.createMultipartUpload(`test-data/${id}`)
    await runSql`insert into test_data_uploads (id, problem_id, user_id, object_key, r2_upload_id, length_bytes, part_bytes, created_at)
      values (${id}, ${problemId}, ${student.id}, ${`test-data/${id}`}, ${uploadId}, 1, 1, ${NOW - ago})`
  }
  const addressTimes = [1, 0].map((more) => NOW - PRIVACY.addressDays * DAY - more)
  for (const time of addressTimes)
    await runSql`insert into login_records (user_id, ip, agent, ok, created_at) values (${third.id}, 'x', '', 1, ${time})`
  await runSql`delete from vitals`
  const sent: unknown[] = []
  const queue = {
    sendBatch: async (messages: { body: unknown }[]) =>
      sent.push(...messages.map(({ body }) => body)),
  }
  const errors = vi.spyOn(console, 'error')
  await sweep(Object.assign({ ...workerEnv }, { STEP_QUEUE: queue }), NOW)
  expect(errors.mock.calls).toEqual([])
  errors.mockRestore()

  expect(await left('rate_limits', 'key')).toEqual(['not yet'])
  expect(await left('sessions', 'user_id')).toEqual([other.id])
  expect(await left('account_links', 'user_id')).toEqual([other.id])
  expect(await left('submissions', 'id')).toEqual([idOf(claim + 2), idOf(claim)])
  expect(await left('sample_runs', 'user_id')).toEqual([other.id])
  expect(await left('judgements', 'user_id', 'submission_id is null')).toEqual([other.id])
  expect(await left('operations', 'id')).toEqual([stalled, open, kept])
  expect(await left('runners', 'id')).toEqual(['added', 'silent'])
  expect(await left('test_data_uploads', 'id')).toEqual(['under way'])
  expect(await left('login_records', 'created_at')).toEqual(addressTimes.slice(1))
  expect(sent).toEqual([{ v: 1, jobId: stalled }])
  expect(await firstValue`select sent_at from operations where id = ${stalled}`).toBe(NOW)
  expect(await firstValue`select value from vitals where name = 'swept_at'`).toBe(NOW)
  expect(
    await firstValue`select count(*) from database_sizes where day = ${Math.floor(NOW / DAY)}`,
  ).toBe(1)
  expect(await firstValue`select count(*) from courses where name = ${course}`).toBe(1)
})

test('a part that fails is counted, and the others are done', async () => {
  const { student, problemId } = await createProblem()
  await submit(student, problemId)
  await runSql`delete from vitals`
  await runSql`insert into account_links (user_id, purpose, token_hash, expires_at) values (${student.id}, 'reset', 'over', 1)`
  await runSql`create trigger no_runs before delete on sample_runs begin select raise(abort, 'no'); end`
  await insertRun(student.id, idOf(RUNS.seconds + 9), problemId)
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  await sweep(workerEnv, NOW)
  expect(errors.mock.calls.map(([text]) => JSON.parse(text).sweep)).toEqual(['runs'])
  errors.mockRestore()
  await runSql`drop trigger no_runs`
  expect(await firstValue`select value from vitals where name = 'sweep_errors'`).toBe(1)
  expect(await firstValue`select value from vitals where name = 'swept_at'`).toBe(NOW)
  expect(await left('account_links', 'token_hash', "token_hash = 'over'")).toEqual([])
})
