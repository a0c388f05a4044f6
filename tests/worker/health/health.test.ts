/** The status of GET /health tells a monitor whether an operator has to act. */
import { env } from 'cloudflare:workers'
import { applyD1Migrations } from 'cloudflare:test'
import { beforeEach, expect, test } from 'vitest'
import { health } from '#contract/installation/health'
import { JUDGING } from '#contract/limits'
import { app } from '../../../worker/app.ts'
import { NEWEST_MIGRATION } from '../../../worker/db/applied-migrations.ts'
import type { Env } from '../../../worker/env.ts'
import { ALARM_WAITING_SECONDS } from '../../../worker/features/health/queries.ts'
import { emptyQueue } from '../support/judge.ts'
import { workerEnv } from '../support/step-queue.ts'
import { createProblem, registerRunner, requestOf, submit } from '../support/world.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      UNMIGRATED_DB: D1Database
    }
  }
}

/** Calls the Worker, possibly with other bindings; the answer must have the contract's form. */
async function ask(path = '/health', bindings: Partial<Env> = {}) {
  const answer = await app.fetch(requestOf('GET', path), { ...workerEnv, ...bindings })
  const body = await answer.json<{ status: string; code?: string; data: unknown }>()
  return { status: answer.status, code: body.code, data: health.parse(body.data) }
}

async function judgementsWait(seconds: number, column = 'queued_at') {
  await env.DB.prepare(`update judgements set ${column} = ${column} - ?`).bind(seconds).run()
}

beforeEach(async () => {
  await emptyQueue()
  await env.DB.prepare('delete from runners').run()
})

test('an installation without a judge host is healthy, but not strictly', async () => {
  expect(await ask()).toMatchObject({ status: 200, data: { db: 'ok', schema: 'ok', runners: 0 } })
  expect(await ask('/health?strict=1')).toMatchObject({ status: 503, code: 'unhealthy' })
  await registerRunner()
  expect(await ask('/health?strict=1')).toMatchObject({ status: 200, data: { runners: 1 } })
  expect((await ask('/health?strict=0')).status).toBe(200)
  await env.DB.prepare('update runners set heartbeat_at = heartbeat_at - ?')
    .bind(JUDGING.runnerAliveSeconds)
    .run()
  expect(await ask('/health?strict=1')).toMatchObject({ status: 503, data: { runners: 0 } })
})

test('a live job that waits longer than two minutes fails the strict check, a rejudge does not', async () => {
  await registerRunner()
  const { student, problemId } = await createProblem()
  await submit(student, problemId)
  expect((await ask('/health?strict=1')).status).toBe(200)
  await judgementsWait(ALARM_WAITING_SECONDS + 1)
  const late = await ask('/health?strict=1')
  expect(late).toMatchObject({ status: 503, code: 'unhealthy', data: { runners: 1 } })
  expect(late.data.oldestSeconds).toBeGreaterThan(ALARM_WAITING_SECONDS)
  expect((await ask()).status).toBe(200)
  // A job that a host gave back and that rests before its next attempt waits, too.
  await env.DB.prepare('update judgements set lease_until = unixepoch() + 600').run()
  expect((await ask('/health?strict=1')).status).toBe(503)
  await env.DB.prepare("update judgements set state = 'leased'").run()
  expect(await ask('/health?strict=1')).toMatchObject({ status: 200, data: { oldestSeconds: 0 } })
  await env.DB.prepare("update judgements set state = 'queued', priority = 1").run()
  expect((await ask('/health?strict=1')).status).toBe(200)
})

test('the oldest job counts, whatever its rank', async () => {
  const { student, problemId } = await createProblem()
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) ids.push(await submit(student, problemId))
  for (const [place, age] of [200, 300, 100].entries())
    await env.DB.prepare(
      'update judgements set rank = ?, queued_at = unixepoch() - ? where submission_id = ?',
    )
      .bind(7 * place, age, ids[place])
      .run()
  const { oldestSeconds } = (await ask()).data
  expect(oldestSeconds).toBeGreaterThanOrEqual(300)
})

test('a database that does not answer is 503', async () => {
  const DB = {
    prepare: () => {
      throw new Error('D1_ERROR: Network connection lost.')
    },
  } as unknown as D1Database
  const { status, code, data } = await ask('/health', { DB })
  expect({ status, code, data }).toMatchObject({
    status: 503,
    code: 'unhealthy',
    data: { db: 'down', schema: 'unknown', queue: 'ok' },
  })
})

test('a schema behind the code is 503, one that is ahead is not', async () => {
  const DB = env.UNMIGRATED_DB
  const behind = { status: 503, code: 'unhealthy', data: { db: 'ok', schema: 'behind' } }
  expect(await ask('/health', { DB })).toMatchObject(behind)
  await applyD1Migrations(DB, env.TEST_MIGRATIONS.slice(0, -1))
  expect(await ask('/health', { DB })).toMatchObject(behind)
  await applyD1Migrations(DB, env.TEST_MIGRATIONS)
  expect((await ask('/health', { DB })).status).toBe(200)
  await DB.prepare("insert into d1_migrations (name) values ('9999_of_tomorrow.sql')").run()
  expect((await ask('/health', { DB })).status).toBe(200)
})

test('the code is built with the name of the newest migration', () => {
  expect(NEWEST_MIGRATION).toBe(env.TEST_MIGRATIONS.at(-1)?.name)
})

test('refuses a query that it does not know', async () => {
  const answer = await app.fetch(requestOf('GET', '/health?strict=yes'), workerEnv)
  expect(answer.status).toBe(400)
})
