/** Every known field of judge hosts and of the queue; changes of one host beside others. */
import { beforeEach, expect, test } from 'vitest'
import { JUDGING, RUNNERS } from '#contract/limits'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { hexIdAt } from '../../../worker/lib/ids.ts'
import { claim, emptyQueue, report, reportOf } from '../support/judge.ts'
import { allRows, firstRow, firstValue, numbersBelow, runSql } from '../support/sql.ts'
import {
  addStudents,
  call,
  createPerson,
  createProblem,
  REGISTRATION_TOKEN,
  submit,
} from '../support/world.ts'

beforeEach(async () => {
  await emptyQueue()
  await runSql`delete from runners`
})

const HOST = { hostname: 'rack', kernel: '6.1', cpu: 'EPYC', cores: 2, memoryKb: 9, cgroup: 'v2' }

const beat = (token: string, changes: object = {}) =>
  call('POST', '/runner/heartbeat', {
    token,
    json: { active: [], slots: 3, free: 2, load: 0.25, version: '2', host: HOST, ...changes },
  })

/** A host that registers itself. */
async function register(name: string): Promise<{ runnerId: string; token: string }> {
  await runSql`delete from rate_limits where key = 'runner:register'`
  const json = { name, slots: 8, version: '1', host: { ...HOST, cores: 4 } }
  const answer = await call('POST', '/runner/register', { token: REGISTRATION_TOKEN, json })
  expect(answer.data).toEqual({
    runnerId: expect.stringMatching(/^[0-9a-f]{24}$/),
    token: expect.any(String),
    config: {
      leaseSeconds: JUDGING.leaseSeconds,
      heartbeatSeconds: JUDGING.heartbeatSeconds,
      idleClaimSeconds: JUDGING.idleClaimSeconds,
      progressIntervalMs: JUDGING.progressIntervalMs,
    },
  })
  return answer.data
}

test('the list has each field of each host, the last heard of first', async () => {
  const admin = await createPerson(0)
  const named = (await admin.post('/runners', { name: 'by hand' })).data
  const [own, silent] = [await register('own'), await register('silent')]
  const now = nowSeconds()
  await beat(own.token)
  await runSql`update runners set heartbeat_at = ${now - JUDGING.runnerAliveSeconds - 5}, job_seconds = 1.5,
    refused_results = 2, last_refusal = 'a lie', slot_limit = 5 where id = ${silent.runnerId}`
  await runSql`update runners set heartbeat_at = ${now}, created_at = created_at - 7 where id = ${own.runnerId}`
  const madeAt = new Map(
    (await allRows<{ id: string; at: number }>`select id, created_at as at from runners`).map(
      ({ id, at }) => [id, at],
    ),
  )
  const common = {
    state: 'active',
    slotLimit: RUNNERS.slotLimit,
    activeJobs: 0,
    load: 0,
    jobSeconds: null,
    refusedResults: 0,
    lastRefusal: null,
    etag: expect.stringMatching(/^"v\d+-item"$/),
  }
  expect((await admin.get('/runners')).data).toEqual([
    {
      ...common,
      runnerId: own.runnerId,
      name: 'own',
      alive: true,
      lastHeartbeat: now,
      slots: 3,
      free: 2,
      load: 0.25,
      version: '2',
      host: HOST,
      createTime: madeAt.get(own.runnerId),
    },
    {
      ...common,
      runnerId: silent.runnerId,
      name: 'silent',
      alive: false,
      lastHeartbeat: now - JUDGING.runnerAliveSeconds - 5,
      slots: 8,
      slotLimit: 5,
      free: 8,
      jobSeconds: 1.5,
      version: '1',
      host: { ...HOST, cores: 4 },
      refusedResults: 2,
      lastRefusal: 'a lie',
      createTime: madeAt.get(silent.runnerId),
    },
    {
      ...common,
      runnerId: named.runnerId,
      name: 'by hand',
      alive: false,
      lastHeartbeat: null,
      slots: 0,
      free: 0,
      version: '',
      host: null,
      createTime: madeAt.get(named.runnerId),
    },
  ])
  const kinds = await allRows`select name, self_registered as self from runners order by name`
  expect(kinds).toEqual([
    { name: 'by hand', self: 0 },
    { name: 'own', self: 1 },
    { name: 'silent', self: 1 },
  ])
})

test('a host is changed alone, put back to work without what it was refused for, and the log says how', async () => {
  const admin = await createPerson(0)
  const [one, other] = [await register('one'), await register('other')]
  await runSql`update runners set refused_results = 2, last_refusal = 'a lie'`
  const otherRow = () => firstRow`select * from runners where id = ${other.runnerId}`
  const before = await otherRow()
  const path = `/runners/${one.runnerId}`
  await admin.patch(path, { slotLimit: 3 })
  const rowOf = () => firstRow`select name, state, slot_limit as most, refused_results as refused,
    last_refusal as refusal from runners where id = ${one.runnerId}`
  const row = { name: 'one', state: 'active', most: 3, refused: 2, refusal: 'a lie' }
  expect(await rowOf()).toEqual(row)
  await admin.patch(path, { state: 'draining', name: 'renamed' })
  expect(await rowOf()).toEqual({ ...row, state: 'draining', name: 'renamed' })
  await admin.patch(path, { state: 'active' })
  expect(await rowOf()).toEqual({ ...row, name: 'renamed', refused: 0, refusal: null })
  await beat(one.token)
  expect(await otherRow()).toEqual(before)
  const added = (await admin.post('/runners', { name: 'rack' })).data
  await admin.delete(path)
  expect(await otherRow()).toEqual(before)
  const entries = await allRows<{ action: string; subject: string; detail: string }>`
    select action, subject, detail from audit_entries where actor_id = ${admin.id} order by id`
  const entry = (deed: string, detail: object, subject = one.runnerId) => ({
    action: `runner.${deed}`,
    subject,
    detail,
  })
  expect(entries.map(({ detail, ...rest }) => ({ ...rest, detail: JSON.parse(detail) }))).toEqual([
    entry('edit', { slotLimit: 3 }),
    entry('edit', { state: 'draining', name: 'renamed' }),
    entry('edit', { state: 'active' }),
    entry('create', { name: 'rack' }, added.runnerId),
    entry('delete', {}),
  ])
})

test('a host that is deleted frees its own jobs and no others, at once and with new tickets', async () => {
  const admin = await createPerson(0)
  const world = await createProblem()
  const [classmate] = await addStudents(world, 1)
  if (!classmate) throw new Error('there is no classmate')
  const [gone, other] = [await register('gone'), await register('other')]
  await submit(world.student, world.problemId)
  await submit(world.student, world.problemId)
  await submit(classmate, world.problemId)
  const done = (await claim(gone.token)).data
  await report(gone.token, done.judgementId, reportOf(done.lease))
  const [freed, kept] = [(await claim(gone.token)).data, (await claim(other.token)).data]
  await runSql`update judgements set ticket_at = 0`
  const rowOf = (id: string) => firstRow`select * from judgements where id = ${id}`
  const before = [await rowOf(kept.judgementId), await rowOf(done.judgementId)]
  const now = nowSeconds()
  await admin.delete(`/runners/${gone.runnerId}`)
  const row = await rowOf(freed.judgementId)
  expect(Number(row?.['lease_until'])).toBeLessThan(nowSeconds())
  expect(Number(row?.['ticket_at'])).toBeGreaterThanOrEqual(now)
  const [held, over] = before
  expect(await rowOf(kept.judgementId)).toEqual(held)
  expect(await rowOf(done.judgementId)).toEqual({ ...over, runner_id: null })
})

test('the queue tells how much waits, since when, and how long it takes those who work', async () => {
  const { ta, student, problemId } = await createProblem()
  const idle = { pending: 0, oldestSeconds: 0, unhealthy: 0 }
  const read = async () => (await ta.get('/runners/queue')).data
  expect(await read()).toEqual({
    ...idle,
    activeRunners: 0,
    slots: 0,
    wantedRunners: 1,
    livingHosts: [],
    estimateSeconds: null,
  })
  const names = ['limited', 'new', 'draining', 'silent']
  for (const name of names) await register(name)
  await runSql`update runners set slots = 8, slot_limit = 2, job_seconds = 4 where name = 'limited'`
  await runSql`update runners set slots = 4 where name = 'new'`
  await runSql`update runners set state = 'draining' where name = 'draining'`
  await runSql`update runners set heartbeat_at = ${nowSeconds() - JUDGING.runnerAliveSeconds} where name = 'silent'`
  const id = await submit(student, problemId)
  await runSql`insert into judgements (id, submission_id, state, priority, rank, queued_at, ticket_at, phase, cases_total)
    select ${hexIdAt(Date.now() - 100_000)} || printf('%012x', value), ${id}, 'queued', 0, 0, 0, 0, 'queued', 3
    from json_each(${numbersBelow(199)})`
  const { oldestSeconds, ...state } = await read()
  expect(state).toEqual({
    pending: 200,
    activeRunners: 2,
    slots: 6,
    // Four seconds a job, and three slots for each host.
    wantedRunners: 5,
    livingHosts: ['draining', 'limited', 'new'],
    // Two slots at four seconds a job and four slots at two seconds judge five jobs in two seconds.
    estimateSeconds: 81,
    unhealthy: 0,
  })
  expect(oldestSeconds).toBeGreaterThanOrEqual(100)
  expect(oldestSeconds).toBeLessThan(160)
})

test('a sign of life extends the jobs of its host that it names, and those alone', async () => {
  const world = await createProblem()
  const students = await addStudents(world, 3)
  for (const as of students) await submit(as, world.problemId)
  const [one, other] = [await register('one'), await register('other')]
  const [named, unnamed] = [(await claim(one.token)).data, (await claim(one.token)).data]
  const others = (await claim(other.token)).data
  await runSql`update judgements set lease_until = ${nowSeconds() + 5}, ticket_at = 0 where finished_at is null`
  const rows = () => allRows<{
    id: string
    until: number
    ticket: number
  }>`select id, lease_until as until,
    ticket_at as ticket from judgements where finished_at is null order by id`
  const before = await rows()
  const active = [named.judgementId, others.judgementId]
  await beat(one.token, { active })
  const until =
    await firstValue<number>`select lease_until from judgements where id = ${named.judgementId}`
  expect(until).toBeGreaterThanOrEqual(nowSeconds() + JUDGING.leaseSeconds - 5)
  expect(await rows()).toEqual(
    before.map((row) => (row.id === named.judgementId ? { ...row, until } : row)),
  )
  // At a start, jobs that the host does not name become free, with a new ticket.
  const now = nowSeconds()
  await beat(one.token, { active, started: true })
  const freed = (await rows()).find(({ id }) => id === unnamed.judgementId)
  expect(freed?.until).toBeLessThan(nowSeconds())
  expect(freed?.ticket).toBeGreaterThanOrEqual(now)
  expect((await rows()).find(({ id }) => id === others.judgementId)).toEqual(
    before.find(({ id }) => id === others.judgementId),
  )
})

test('in a full fleet the host that has been silent for longest makes room', async () => {
  const now = nowSeconds()
  await runSql`insert into runners (id, name, token_hash, state, slots, free, version, self_registered, created_at, heartbeat_at)
    select printf('%024x', value), 'host ' || value, 'hash ' || value, 'active', 1, 1, '', 1, 1,
      ${now} from json_each(${numbersBelow(RUNNERS.most)})`
  await runSql`update runners set heartbeat_at = ${now - RUNNERS.forgottenSeconds - 60} where name = 'host 7'`
  await runSql`update runners set heartbeat_at = ${now - RUNNERS.forgottenSeconds - 90} where name = 'host 9'`
  await register('new')
  const left = await allRows<{
    name: string
  }>`select name from runners where name in ('host 7', 'host 9', 'new')`
  expect(left.map(({ name }) => name).toSorted()).toEqual(['host 7', 'new'])
  expect(await firstValue`select count(*) from runners`).toBe(RUNNERS.most)
})

test('a host that drains gets no job, with a result neither', async () => {
  const { student, problemId } = await createProblem()
  const { token } = await register('leaving')
  await submit(student, problemId)
  await submit(student, problemId)
  const { judgementId, lease } = (await claim(token)).data
  await runSql`update runners set state = 'draining'`
  expect((await claim(token)).status).toBe(204)
  const last = await report(token, judgementId, { ...reportOf(lease), next: {} })
  expect(last).toMatchObject({ status: 200, data: null })
})
