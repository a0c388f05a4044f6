/** Hints to open pages: who gets them, their contents, and when a socket ends. */
import {
  createExecutionContext,
  evictDurableObject,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { beforeEach, describe, expect, test } from 'vitest'
import { JUDGING } from '#contract/limits'
import { LIVE_CLOSE, LIVE_PING, LIVE_PONG, liveHint, type LiveHint } from '#contract/live'
import { STATUS } from '#contract/verdicts'
import { app } from '../../../worker/app.ts'
import type { Env } from '../../../worker/env.ts'
import { sweep } from '../../../worker/background/sweep.ts'
import { CHANNELS } from '../../../worker/lib/channel-limits.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { progressOf, sendHint } from '../../../worker/lib/live.ts'
import { createDatedHomework } from '../support/dated-homework.ts'
import { createRequested } from '../support/requests.ts'
import { finishOperations, workerEnv } from '../support/step-queue.ts'
import {
  claim,
  createClaimedJob,
  emptyQueue,
  expireLeases,
  judgeAll,
  report,
  reportOf,
} from '../support/judge.ts'
import { createFailed } from '../support/mistake-groups.ts'
import { mistakeOf } from '../support/mistakes.ts'
import { runSql } from '../support/sql.ts'
import {
  addMember,
  addStudents,
  call,
  createCourse,
  createPeople,
  createPerson,
  createProblem,
  fetchApi,
  PASSWORD,
  registerRunner,
  requestOf,
  signIn,
  submit,
  type Person,
} from '../support/world.ts'

const UPGRADE = { Upgrade: 'websocket', Origin: 'https://judge.test' }

/** A page with its socket, its messages and its end. */
class Page {
  readonly texts: string[] = []
  closeCode: number | null = null
  readonly socket: WebSocket

  /** @param isDeaf whether it ignores the order to close */
  constructor(socket: WebSocket, isDeaf = false) {
    this.socket = socket
    socket.addEventListener('message', ({ data }) => this.texts.push(String(data)))
    socket.addEventListener('close', ({ code }) => (this.closeCode = code))
    socket.accept({ allowHalfOpen: isDeaf })
  }

  get hints(): LiveHint[] {
    return this.texts.map((text) => liveHint.parse(JSON.parse(text)))
  }
}

async function openPage(as: Person, isDeaf = false): Promise<Page> {
  const { status, webSocket } = await fetchApi('GET', '/live', { as, headers: UPGRADE })
  expect(status).toBe(101)
  if (!webSocket) throw new Error('the answer has no socket')
  return new Page(webSocket, isDeaf)
}

beforeEach(emptyQueue)

describe('a homework', () => {
  test('tells the students concerned of new dates and points, and everybody of new dates for all', async () => {
    const world = await createDatedHomework()
    const { path, homeworkId, student, ta, teacher } = world
    const [other] = await addStudents(world, 1)
    if (!other) throw new Error('there is nobody')
    const [own, others] = [await openPage(student), await openPage(other)]
    const { username } = student
    await ta.put(`${path}/overrides`, { overrides: [{ username, graceMinutes: 1 }] })
    await ta.delete(`${path}/overrides`, { usernames: [username] })
    await ta.put(`${path}/points`, { username, problemId: null, points: 1 })
    await ta.post(`${path}/kept-marks/confirm`, { usernames: [username] })
    const hint = { kind: 'homework', homeworkId }
    await expect.poll(() => own.hints).toEqual([hint, hint, hint, hint])
    await teacher.put(`${path}/overrides`, { overrides: [{ username: null, graceMinutes: 1 }] })
    await expect.poll(() => own.hints).toHaveLength(5)
    await expect.poll(() => others.hints).toEqual([hint])
    await teacher.put(path, world.form)
    await expect.poll(() => others.hints).toEqual([hint, hint])
  })
})

describe('a comment to everybody with the same mistake', () => {
  test('tells each of them of their own question, and nobody else', async () => {
    const { student, ta, join, fail, path } = await createFailed()
    const [second, other] = [await join(), await join()]
    await fail(student, 'a')
    await fail(second, 'a')
    await fail(other, 'b')
    const pages = [await openPage(student), await openPage(second), await openPage(other)]
    await ta.post(`${path}/${mistakeOf('a')}/questions`, { markdown: 'Look at N = 0.' })
    for (const [index, person] of [student, second].entries()) {
      const { data } = await person.get('/notices')
      const hint = { kind: 'question', questionId: data.items[0].subjectId, isAnswer: true }
      await expect.poll(() => pages[index]?.hints).toEqual([hint])
    }
    expect(pages[2]?.texts).toEqual([])
  })
})

describe('a page', () => {
  test('hears that its submission is compiled, how far it is, and that there is a verdict', async () => {
    const { student, problemId } = await createProblem()
    const page = await openPage(student)
    const submissionId = await submit(student, problemId)
    const token = await registerRunner()
    const { judgementId, lease } = (await claim(token)).data
    await call('POST', `/runner/jobs/${judgementId}/progress`, {
      token,
      json: { lease, phase: 'running', done: 2, total: 3 },
    })
    await report(token, judgementId, reportOf(lease))
    await expect
      .poll(() => page.hints.map((hint) => hint.kind === 'submission' && hint.progress))
      .toEqual([
        { phase: 'compiling', done: 0, total: 3 },
        { phase: 'running', done: 2, total: 3 },
        null,
      ])
    for (const hint of page.hints) expect(hint).toMatchObject({ kind: 'submission', submissionId })
    expect((await student.get(`/submission/${submissionId}`)).data.status).toBe(STATUS.AC)
  })

  test('hears nothing of other people’s submissions', async () => {
    const { student, teacher, token, job } = await createClaimedJob()
    const [own, others] = [await openPage(student), await openPage(teacher)]
    await report(token, job.judgementId, reportOf(job.lease))
    await expect.poll(() => own.hints).toHaveLength(1)
    expect(others.texts).toEqual([])
  })

  test('hears of a result once, however often its host reports it', async () => {
    const { student, token, job } = await createClaimedJob()
    const page = await openPage(student)
    for (let count = 0; count < 3; count += 1)
      await report(token, job.judgementId, reportOf(job.lease))
    await expect.poll(() => page.hints).toHaveLength(1)
    expect((await report(token, job.judgementId, reportOf('stale'))).status).toBe(409)
    expect(page.hints).toHaveLength(1)
  })

  test('hears of a bulk rejudge once it is applied, and reads nothing of it before', async () => {
    const { student, teacher, problemId } = await createProblem()
    const token = await registerRunner()
    const submissionIds = [await submit(student, problemId), await submit(student, problemId)]
    await judgeAll(token)
    const pages = async () =>
      (await Promise.all(submissionIds.map((id) => student.get(`/submission/${id}`)))).map(
        ({ data }) => data,
      )
    const before = await pages()
    const { jobId } = (await teacher.post(`/problem/${problemId}/rejudge`, {})).data
    await finishOperations(jobId)

    const page = await openPage(student)
    const { judgementId, lease, submissionId } = (await claim(token)).data
    const progress = { lease, phase: 'running', done: 2, total: 3 }
    const told = await call('POST', `/runner/jobs/${judgementId}/progress`, {
      token,
      json: progress,
    })
    expect(told.status).toBe(200)
    expect(await progressOf(workerEnv, student.id, lease)).toBeNull()
    expect(await pages()).toEqual(before)
    await report(token, judgementId, reportOf(lease, STATUS.WA))
    // The second submission has lost its code, so it cannot be judged: a Judge Error.
    await runSql`delete from submission_sources where submission_id <> ${submissionId}`
    expect((await claim(token)).status).toBe(204)
    expect((await teacher.get(`/jobs/${jobId}`)).data).toMatchObject({ total: 2, done: 2 })
    // A later hint arrives first, so the Judge Error sent none.
    await sendHint(workerEnv, student.id, { kind: 'run', runId: submissionId })
    await expect.poll(() => page.hints.map(({ kind }) => kind)).toEqual(['run'])
    await finishOperations(jobId)
    await expect.poll(() => page.hints.slice(1)).toMatchObject([{ submissionId, progress: null }])
  })

  test('hears that no host has brought its submission to an end', async () => {
    const { student, job } = await createClaimedJob()
    const page = await openPage(student)
    await runSql`update judgements set attempt = ${JUDGING.maxAttempts} where id = ${job.judgementId}`
    await expireLeases()
    await sweep(workerEnv, nowSeconds())
    await expect.poll(() => page.hints).toMatchObject([{ kind: 'submission', progress: null }])
  })

  test('knows that its connection lives without waking the object', async () => {
    const [person] = await createPeople(2)
    const page = await openPage(person)
    page.socket.send(LIVE_PING)
    await expect.poll(() => page.texts).toEqual([LIVE_PONG])
  })

  test('that says anything else is cut off', async () => {
    const [person] = await createPeople(2)
    const page = await openPage(person)
    page.socket.send('hello')
    await expect.poll(() => page.closeCode).toBe(LIVE_CLOSE.unexpected)
  })

  test(`of a person with ${CHANNELS.sockets} others takes the place of the oldest`, async () => {
    const [person] = await createPeople(2)
    const pages: Page[] = []
    for (let count = 0; count <= CHANNELS.sockets; count += 1) pages.push(await openPage(person))
    await expect.poll(() => pages[0]?.closeCode).toBe(LIVE_CLOSE.replaced)
    expect(pages.filter(({ closeCode }) => closeCode !== null)).toHaveLength(1)
  })

  test('that does not close when told to hears nothing more, and counts until it is gone', async () => {
    const [person] = await createPeople(2)
    const deaf: Page[] = []
    for (let count = 0; count < CHANNELS.socketsHeld; count += 1)
      deaf.push(await openPage(person, true))
    const refused = await call('GET', '/live', { as: person, headers: UPGRADE })
    expect(refused).toMatchObject({ status: 429, code: 'too_many_sockets' })
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    const isTold = ({ closeCode }: Page) => closeCode === LIVE_CLOSE.replaced
    await expect
      .poll(() => deaf.filter(isTold))
      .toHaveLength(CHANNELS.socketsHeld - CHANNELS.sockets)

    const [oldest] = deaf
    oldest?.socket.send(LIVE_PING)
    await sendHint(workerEnv, person.id, { kind: 'run', runId: '0'.repeat(24) })
    await expect
      .poll(() => deaf.filter((page) => page.hints.length > 0))
      .toHaveLength(CHANNELS.sockets)
    expect(deaf.filter(isTold).flatMap(({ texts }) => texts)).toEqual([])

    oldest?.socket.close()
    const status = async () =>
      (await fetchApi('GET', '/live', { as: person, headers: UPGRADE })).status
    await expect.poll(status).toBe(101)
    expect(await status()).toBe(429)
  })

  test('that is old ends with the next hint, because its session may have ended', async () => {
    const { student, token, job } = await createClaimedJob()
    const page = await openPage(student)
    const channel = channelOf(student)
    await runInDurableObject(channel, (_object, state) => {
      for (const socket of state.getWebSockets())
        socket.serializeAttachment({ openedMs: Date.now() - CHANNELS.seconds * 1_000 - 1 })
    })
    await report(token, job.judgementId, reportOf(job.lease))
    await expect.poll(() => page.closeCode).toBe(LIVE_CLOSE.renew)
    expect(page.texts).toEqual([])
  })

  test('hears hints after its object has slept', async () => {
    const { student, token, job } = await createClaimedJob()
    const page = await openPage(student)
    await evictDurableObject(channelOf(student))
    await report(token, job.judgementId, reportOf(job.lease))
    await expect.poll(() => page.hints).toHaveLength(1)
  })
})

describe('what staff write', () => {
  test('as an announcement is told to the course’s people who are signed in, but not to its author', async () => {
    const { teacher, ta, student, course } = await createCourse()
    const stranger = await createPerson(2)
    const pages = {
      student: await openPage(student),
      ta: await openPage(ta),
      teacher: await openPage(teacher),
      stranger: await openPage(stranger),
    }
    const { data } = await ta.post('/ann', {
      title: 'Problem 2',
      markdown: 'n is at least 1.',
      courseName: course,
    })
    const told = { kind: 'announcement', course, annId: data.annId }
    await expect.poll(() => pages.student.hints).toEqual([told])
    await expect.poll(() => pages.teacher.hints).toEqual([told])
    expect([pages.ta.texts, pages.stranger.texts]).toEqual([[], []])
    // A person who gets a hint can also read the announcement.
    expect((await student.get(`/ann/${course}/${data.annId}`)).status).toBe(200)
  })

  test('is not told to the teacher of the course who may not teach any more', async () => {
    const { teacher, ta, student, course } = await createCourse()
    const admin = await createPerson(0)
    await admin.patch(`/user/${teacher.username}`, { role: 2 })
    const left = await openPage(teacher.withSessionOf(await signIn(teacher.username)))
    const reader = await openPage(student)
    const { annId } = (await ta.post('/ann', { title: 'T', markdown: '', courseName: course })).data
    await expect.poll(() => reader.hints).toHaveLength(1)
    await sendHint(workerEnv, teacher.id, { kind: 'run', runId: annId })
    await expect.poll(() => left.hints.map(({ kind }) => kind)).toContain('run')
    expect(left.hints).toHaveLength(1)
  })

  test('for everybody is no hint', async () => {
    const [admin, person] = await createPeople(0, 2)
    const page = await openPage(person)
    const answer = await admin.post('/ann', { title: 'Tonight', markdown: 'An update.' })
    expect(answer.status).toBe(200)
    // A later hint arrives first, so the announcement sent none.
    await sendHint(workerEnv, person.id, { kind: 'run', runId: answer.data.annId })
    await expect.poll(() => page.hints.map(({ kind }) => kind)).toEqual(['run'])
  })

  test('in a question is told to its student, and what the student writes to staff', async () => {
    const world = await createProblem()
    const { teacher, student, problemId } = world
    const classmate = await createPerson(2)
    await addMember(world, classmate)
    const pages = {
      student: await openPage(student),
      teacher: await openPage(teacher),
      classmate: await openPage(classmate),
    }
    const asked = await student.post(`/problem/${problemId}/questions`, { markdown: 'From 0?' })
    const hint = { kind: 'question', questionId: asked.data.questionId, isAnswer: false }
    await expect.poll(() => pages.teacher.hints).toEqual([hint])
    expect(pages.student.texts).toEqual([])
    await teacher.post(`/question/${asked.data.questionId}/messages`, { markdown: 'From 1.' })
    await expect.poll(() => pages.student.hints).toEqual([{ ...hint, isAnswer: true }])
    expect([pages.teacher.texts.length, pages.classmate.texts.length]).toEqual([1, 0])
  })

  test('in a request for the teacher alone is told to no TA, and what staff decide to the student', async () => {
    const { teacher, ta, student, request, due, homeworkId } = await createRequested()
    const pages = {
      student: await openPage(student),
      teacher: await openPage(teacher),
      ta: await openPage(ta),
    }
    const { questionId } = (await request(student, { teacherOnly: true })).data
    const hint = { kind: 'question', questionId, isAnswer: false }
    await expect.poll(() => pages.teacher.hints).toEqual([hint])
    await teacher.post(`/question/${questionId}/decision`, { due })
    const byKind = () => pages.student.hints.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
    await expect.poll(byKind).toEqual([
      { kind: 'homework', homeworkId },
      { ...hint, isAnswer: true },
    ])
    expect(pages.ta.texts).toEqual([])
  })

  test('about a line of a student’s code is told to that student', async () => {
    const { teacher, student, problemId } = await createProblem()
    const submissionId = await submit(student, problemId)
    const page = await openPage(student)
    const { data } = await teacher.post(`/submission/${submissionId}/questions`, {
      line: 1,
      markdown: 'Nice.',
    })
    const { questionId } = data
    await expect.poll(() => page.hints).toEqual([{ kind: 'question', questionId, isAnswer: true }])
  })
})

function channelOf({ id }: Person) {
  const channels = workerEnv.LIVE
  if (!channels) throw new Error('there are no channels')
  return channels.getByName(String(id))
}

/** A file that gives a person a new password. @param row a further row */
function fileOf({ username }: Person, row = '') {
  const own = `${username},quite another phrase 7,${username}@example.test`
  return { newUsers: ['username,password,email', own, row].join('\n'), force: true }
}

describe('a session that ends takes its sockets along', () => {
  test('and no other ones, when it is signed out', async () => {
    const person = await createPerson(2)
    const other = person.withSessionOf(
      await call('POST', '/auth/session', {
        json: { username: person.username, password: PASSWORD },
      }),
    )
    const [page, stays] = [await openPage(person), await openPage(other)]
    await person.delete('/auth/session')
    await expect.poll(() => page.closeCode).toBe(LIVE_CLOSE.signedOut)
    expect(stays.closeCode).toBeNull()
    expect((await fetchApi('GET', '/live', { as: person, headers: UPGRADE })).status).toBe(401)
  })

  test('and no other ones, when somebody else signs in on its browser', async () => {
    const [person, next] = await createPeople(2, 2)
    const other = person.withSessionOf(await signIn(person.username))
    const [page, stays] = [await openPage(person), await openPage(other)]
    await call('POST', '/auth/session', {
      as: person,
      json: { username: next.username, password: PASSWORD },
    })
    await expect.poll(() => page.closeCode).toBe(LIVE_CLOSE.signedOut)
    expect(stays.closeCode).toBeNull()
  })

  test('also one that is opened while it ends', async () => {
    const person = await createPerson(2)
    const channel = channelOf(person)
    let page: Page | undefined
    const late = {
      async fetch(...request: Parameters<typeof channel.fetch>) {
        await person.delete('/auth/session')
        const answer = await channel.fetch(...request)
        if (answer.webSocket) page = new Page(answer.webSocket)
        return answer
      },
      end: (sessionHash: string) => channel.end(sessionHash),
    }
    const bindings = { ...workerEnv, LIVE: { getByName: () => late } } as unknown as Env
    const context = createExecutionContext()
    const request = requestOf('GET', '/live', { as: person, headers: UPGRADE })
    expect((await app.fetch(request, bindings, context)).status).toBe(401)
    await waitOnExecutionContext(context)
    await expect.poll(() => page?.closeCode).toBe(LIVE_CLOSE.signedOut)
  })

  test.each([
    [
      'the password is changed',
      (person: Person) =>
        person.post('/auth/change-password', {
          oldPassword: PASSWORD,
          newPassword: 'quite another phrase 7',
        }),
    ],
    [
      'a file gives another password',
      async (person: Person) => (await createPerson(0)).post('/auth/batch-signup', fileOf(person)),
    ],
    [
      'an admin disables the account',
      async (person: Person) =>
        (await createPerson(0)).patch(`/user/${person.username}`, { active: false }),
    ],
    [
      'an admin signs the person out',
      async (person: Person) => (await createPerson(0)).delete(`/user/${person.username}/sessions`),
    ],
    [
      'the account is erased',
      async (person: Person) => (await createPerson(0)).delete(`/user/${person.username}`),
    ],
  ])('when %s', async (_what, end) => {
    const person = await createPerson(2)
    const page = await openPage(person)
    expect((await end(person)).status).toBe(200)
    await expect.poll(() => page.closeCode).toBe(LIVE_CLOSE.signedOut)
  })
})

describe('no socket is opened', () => {
  test('without a session', async () => {
    expect((await call('GET', '/live', { headers: UPGRADE })).status).toBe(401)
  })

  test('for another site, whose page’s request carries the cookie', async () => {
    const [as] = await createPeople(2)
    for (const origin of ['https://evil.test', 'null', 'https://judge.test.evil.test'])
      expect(
        await call('GET', '/live', { as, headers: { ...UPGRADE, Origin: origin } }),
      ).toMatchObject({
        status: 403,
        code: 'cross_site',
      })
    const { status } = await call('GET', '/live', { as, headers: { Upgrade: 'websocket' } })
    expect(status).toBe(403)
  })

  test('without asking for one', async () => {
    const [as] = await createPeople(2)
    const answer = await call('GET', '/live', { as })
    expect(answer).toMatchObject({ status: 426, code: 'upgrade_required' })
  })
})
