import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { languageList, LANGUAGES } from '#contract/languages'
import { RUNNERS } from '#contract/limits'
import { app } from '../../../worker/app.ts'
import type { Env } from '../../../worker/env.ts'
import { openDb } from '../../../worker/db/client.ts'
import { deleteSilentRunners } from '../../../worker/features/judging/hosts/runner-queries.ts'
import { wantedRunners } from '../../../worker/features/runners/queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import {
  claim,
  createClaimedJob,
  emptyQueue,
  judgeAll,
  report,
  reportOf,
} from '../support/judge.ts'
import { workerEnv } from '../support/step-queue.ts'
import {
  call,
  createPerson,
  createProblem,
  registerRunner,
  requestOf,
  submit,
} from '../support/world.ts'

beforeEach(emptyQueue)

const host = { hostname: 'h', kernel: 'k', cpu: 'c', cores: 2, memoryKb: 1, cgroup: 'v2' }
const idle = { active: [], slots: 2, free: 2, load: 0.5 }

test('while the registration token is rotated, hosts register with either, and with no other', async () => {
  const register = async (token: string | undefined, settings: Partial<Env>) => {
    const json = { name: 'rotated', slots: 1, version: '1', host }
    const request = requestOf('POST', '/runner/register', { ...(token && { token }), json })
    return (await app.fetch(request, { ...workerEnv, ...settings })).status
  }
  const [present, previous] = ['the-present-secret', 'the-secret-before']
  const rotating = {
    RUNNER_REGISTRATION_TOKEN: present,
    RUNNER_REGISTRATION_TOKEN_PREVIOUS: previous,
  }
  for (const token of [present, previous]) expect(await register(token, rotating)).toBe(200)
  for (const token of ['the-secret-of-nobody', `${present},${previous}`, undefined])
    expect(await register(token, rotating)).toBe(401)
  const rotated = { ...rotating, RUNNER_REGISTRATION_TOKEN_PREVIOUS: undefined }
  expect(await register(previous, rotated)).toBe(401)
  // An empty setting counts as missing, and an empty token is never valid.
  expect(await register('', { ...rotating, RUNNER_REGISTRATION_TOKEN_PREVIOUS: '' })).toBe(401)
  expect(await register(previous, { ...rotating, RUNNER_REGISTRATION_TOKEN: '' })).toBe(409)
})

describe('the fleet', () => {
  test('an admin adds a host by hand; its token is shown once and works; its first beat tells about it', async () => {
    const admin = await createPerson(0)
    const added = await admin.post('/runners', { name: 'rack 1' })
    const { runnerId, token } = added.data
    const beat = { ...idle, started: true, version: '1.2.3', host }
    expect((await call('POST', '/runner/heartbeat', { token, json: beat })).data).toMatchObject({
      state: 'active',
    })
    const listed = await admin.get('/runners')
    const found = listed.data.find((row: { runnerId: string }) => row.runnerId === runnerId)
    expect(found).toMatchObject({ name: 'rack 1', alive: true, slots: 2, version: '1.2.3', host })
    expect(JSON.stringify(listed.data)).not.toContain(token)
  })

  test('the languages come with their commands, to members and all who are signed in, and with versions of hosts at work', async () => {
    const admin = await createPerson(0)
    const hosts = [
      { name: 'old', c: 'gcc (Debian 12.2.0-14) 12.2.0', state: 'active' },
      { name: 'new', c: 'gcc (Debian 14.2.0-19) 14.2.0', state: 'active' },
      { name: 'twin', c: 'gcc (Debian 14.2.0-19) 14.2.0', state: 'active' },
      { name: 'leaving', c: 'gcc 9', state: 'draining' },
    ]
    for (const { name, c, state } of hosts) {
      const { token, runnerId } = (await admin.post('/runners', { name })).data
      const json = { ...idle, started: true, version: '1', host: { ...host, languages: { c } } }
      await call('POST', '/runner/heartbeat', { token, json })
      await admin.patch(`/runners/${runnerId}`, { state })
    }
    const answer = await call('GET', '/languages', { as: await createPerson(2) })
    expect(languageList.parse(answer.data)).toHaveLength(LANGUAGES.length)
    expect(answer.data[0]).toMatchObject({
      id: 'c',
      label: 'C',
      mask: 1,
      compile: expect.stringMatching(/^\/usr\/bin\/gcc .* main\.c -lm$/),
      run: '/box/main',
      versions: ['gcc (Debian 12.2.0-14) 12.2.0', 'gcc (Debian 14.2.0-19) 14.2.0'],
    })
    expect(answer.data[1].versions).toEqual([])
    expect((await call('GET', '/languages')).status).toBe(401)
  })

  test('the fleet shows how many jobs each runner holds', async () => {
    const admin = await createPerson(0)
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    await submit(student, problemId)
    await claim(token)
    await claim(token)
    const listed = await admin.get('/runners')
    const held = listed.data.map((row: { activeJobs: number }) => row.activeJobs)
    expect(held.toSorted().at(-1)).toBe(2)
    await emptyQueue()
  })

  test('a draining runner gets nothing new and is told so', async () => {
    const admin = await createPerson(0)
    const { student, problemId } = await createProblem()
    const { runnerId, token } = (await admin.post('/runners', { name: 'rack 2' })).data
    await submit(student, problemId)
    const path = `/runners/${runnerId}`
    await admin.patch(path, { state: 'draining' })
    expect((await claim(token)).status).toBe(204)
    const beat = await call('POST', '/runner/heartbeat', { token, json: idle })
    expect(beat.data.state).toBe('draining')
    await admin.patch(path, { state: 'active', name: 'rack two' })
    expect((await claim(token)).status).toBe(200)
  })

  test('a removed runner’s token is refused at once and its jobs are free at once [AZ6]', async () => {
    const admin = await createPerson(0)
    const { student, problemId } = await createProblem()
    const { runnerId, token } = (await admin.post('/runners', { name: 'rack 3' })).data
    await submit(student, problemId)
    const job = (await claim(token)).data
    expect((await admin.delete(`/runners/${runnerId}`)).status).toBe(200)
    expect((await claim(token)).status).toBe(401)
    expect((await report(token, job.judgementId, reportOf(job.lease))).status).toBe(401)
    const next = await claim(await registerRunner())
    expect(next.data).toMatchObject({ judgementId: job.judgementId, attempt: 2 })
    expect((await admin.delete(`/runners/${runnerId}`)).code).toBe('runner_not_found')
  })

  test('a runner token opens neither people nor fleet, and a person no runner call [AZ6]', async () => {
    const token = await registerRunner()
    for (const path of ['/auth/me', '/course', '/submission', '/runners', '/audit', '/user'])
      expect((await call('GET', path, { token })).status, path).toBe(401)
    const admin = await createPerson(0)
    expect((await admin.post('/runner/jobs/claim')).status).toBe(401)
    expect((await admin.post('/runner/heartbeat', idle)).status).toBe(401)
  })

  test('only admins see and change the fleet', async () => {
    const { teacher, ta, student } = await createProblem()
    for (const as of [teacher, ta, student]) {
      expect((await as.get('/runners')).status).toBe(403)
      expect((await as.post('/runners', { name: 'x' })).status).toBe(403)
    }
    expect((await call('GET', '/runners')).status).toBe(401)
    const admin = await createPerson(0)
    expect((await admin.post('/runners', { name: ' ' })).status).toBe(400)
    expect((await admin.patch('/runners/0123', { state: 'active' })).status).toBe(404)
  })
})

describe('the queue as staff see it', () => {
  test('counts what has no verdict and estimates from the slots that live', async () => {
    const { teacher, ta, student, problemId } = await createProblem()
    const token = await registerRunner()
    await call('POST', '/runner/heartbeat', { token, json: idle })
    await submit(student, problemId)
    await submit(student, problemId)
    await claim(token)
    for (const as of [teacher, ta, await createPerson(0)]) {
      const { data } = await as.get('/runners/queue')
      expect(data).toMatchObject({
        pending: 2,
        estimateSeconds: expect.any(Number),
        wantedRunners: 1,
      })
      expect(data.activeRunners).toBeGreaterThanOrEqual(1)
      expect(data.slots).toBeGreaterThanOrEqual(2)
    }
    expect((await student.get('/runners/queue')).status).toBe(403)
    await judgeAll(token)
  })
})

describe('hosts that are silent for a week', () => {
  test('leave the list when they registered themselves and hold nothing', async () => {
    await env.DB.exec('delete from runners')
    const admin = await createPerson(0)
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const holder = await registerRunner()
    await claim(holder)
    await registerRunner()
    await admin.post('/runners', { name: 'by hand' })
    const names = async () =>
      (await admin.get('/runners')).data.map((row: { name: string }) => row.name)
    expect(await names()).toHaveLength(3)
    const db = openDb(env.DB)
    await deleteSilentRunners(db, nowSeconds() + RUNNERS.silentSeconds - 60)
    expect(await names()).toHaveLength(3)
    await deleteSilentRunners(db, nowSeconds() + RUNNERS.silentSeconds + 60)
    expect(await names()).toHaveLength(2)
    expect((await claim(holder)).status).toBe(204)
  })
})

test('hosts are wanted for what waits, at least one and no more than may register', () => {
  expect(wantedRunners(0, [])).toBe(1)
  const pair = [
    { slots: 4, jobSeconds: 0.5 },
    { slots: 2, jobSeconds: null },
  ]
  // 60 s for each of three slots at half a second a job: 360 jobs for each host.
  expect(wantedRunners(360, pair)).toBe(1)
  expect(wantedRunners(361, pair)).toBe(2)
  expect(wantedRunners(1_000_000, pair)).toBe(RUNNERS.most)
  // Without a host the estimate assumes two slots and two seconds a job.
  expect(wantedRunners(61, [])).toBe(2)
})

describe('a runner that was restarted', () => {
  test('frees what its old process held, at once; what it names stays its own', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    for (let count = 0; count < 3; count += 1) await submit(student, problemId)
    const [kept, lost] = [(await claim(token)).data, (await claim(token)).data]
    const other = await registerRunner()
    const others = (await claim(other)).data
    const beat = { ...idle, active: [kept.judgementId], started: true }
    expect((await call('POST', '/runner/heartbeat', { token, json: beat })).status).toBe(200)
    expect((await claim(other)).data).toMatchObject({ judgementId: lost.judgementId, attempt: 2 })
    expect((await claim(other)).status).toBe(204)
    expect((await report(token, kept.judgementId, reportOf(kept.lease))).status).toBe(200)
    expect((await report(token, lost.judgementId, reportOf(lost.lease))).status).toBe(409)
    expect((await report(other, others.judgementId, reportOf(others.lease))).status).toBe(200)
  })

  test('a result its old process had ready still counts while nobody else has claimed the job', async () => {
    const { student, token, id, job } = await createClaimedJob()
    await call('POST', '/runner/heartbeat', { token, json: { ...idle, started: true } })
    expect((await report(token, job.judgementId, reportOf(job.lease))).status).toBe(200)
    expect((await student.get(`/submission/${id}`)).data.status).toBe(0)
  })
})
