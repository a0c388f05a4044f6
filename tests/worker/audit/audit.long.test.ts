import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { sweep } from '../../../worker/background/sweep.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { STATUS } from '#contract/verdicts'
import { PRIVACY } from '../../../worker/db/retention.ts'
import { ACCOUNT_LIMITS } from '../../../worker/features/auth/auth-limits.ts'
import { NOTED_EDITS } from '../../../worker/features/users/queries.ts'
import { leaveTokens } from '../support/buckets.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { workerEnv } from '../support/step-queue.ts'
import { allRows, firstRow, firstValue, queryPlan, runSql } from '../support/sql.ts'
import {
  addMember,
  call,
  createPeople,
  createPerson,
  createProblem,
  PASSWORD,
  problemForm,
  registerRunner,
  signIn,
  submit,
  uniqueName,
  type Person,
} from '../support/world.ts'

interface Entry {
  id: number
  time: number
  actor: string | null
  action: string
  subject: string
  subjectName: string | null
  detail: Record<string, unknown>
  ip: string
}

/** A person's newest entries, as an admin reads them. */
async function entriesOf(person: Person, query = ''): Promise<Entry[]> {
  const admin = await createPerson(0)
  const path = `/audit?actor=${person.username}&limit=100${query}`
  return (await admin.get(path)).data.items
}

/** The actions among entries, newest first. */
function actions(entries: Entry[]): string[] {
  return entries.map((entry) => entry.action)
}

describe('the audit log', () => {
  test('names who did what when from where: course, problem, test data, rejudge [PR1]', async () => {
    const { teacher, problemId, student } = await createProblem()
    const id = await submit(student, problemId)
    await teacher.put(`/problem/manage/${problemId}`, problemForm())
    await teacher.post(`/submission/${id}/rejudge`)
    const headers = { 'CF-Connecting-IP': '203.0.113.9' }
    await teacher.post(`/problem/${problemId}/rejudge`, {}, headers)
    const entries = await entriesOf(teacher)
    expect(actions(entries)).toEqual(
      expect.arrayContaining(
        [
          ['course.create', 'course.members', 'problem.create', 'problem.test_data'],
          ['problem.edit', 'submission.rejudge', 'submission.bulk_rejudge'],
        ].flat(),
      ),
    )
    expect(entries[0]).toMatchObject({
      actor: teacher.username,
      action: 'submission.bulk_rejudge',
      subject: `problem ${problemId}`,
      ip: '203.0.113.9',
    })
    expect(Math.abs((entries[0]?.time ?? 0) - nowSeconds())).toBeLessThan(10)
  })

  test('names the people that entries are about', async () => {
    const [admin, student] = await createPeople(0, 2)
    const changed = { as: admin, json: { displayedName: 'Renamed' } }
    await call('PATCH', `/user/${student.username}`, changed)
    const { teacher, course } = await createProblem()
    const [update] = (await entriesOf(admin)).filter(({ action }) => action === 'user.update')
    expect(update).toMatchObject({ actor: admin.username, subjectName: student.username })
    const [made] = (await entriesOf(teacher)).filter(({ action }) => action === 'course.create')
    expect(made).toMatchObject({ subject: course, subjectName: null })
  })

  test('takes the name of a course that begins with a number for nobody', async () => {
    const [teacher, student] = await createPeople(1, 2)
    const course = `${student.id} ways`
    await teacher.post('/course', { course, teacher: teacher.username })
    const name = uniqueName('ways')
    const newUsers = `username,password,email\n${name},${PASSWORD},${name}@x.test`
    expect((await teacher.post('/auth/batch-signup', { newUsers, course })).status).toBe(200)
    const about = (await entriesOf(teacher)).filter(({ subject }) => subject === course)
    expect(about.map(({ action, subjectName }) => [action, subjectName])).toEqual([
      ['user.batch_signup', null],
      ['course.create', null],
    ])
  })

  test('names what became of accounts and homeworks: a new role, erasing, every edit [PR1]', async () => {
    const { teacher, course, problemId } = await createProblem()
    const [admin, person] = await createPeople(0, 2)
    await admin.patch(`/user/${person.username}`, { role: 1 })
    await admin.delete(`/user/${person.username}`)
    const [erased, changed] = await entriesOf(admin)
    expect(changed).toMatchObject({ action: 'user.update', detail: { role: 1 } })
    expect(erased).toMatchObject({ action: 'user.erase', subject: String(person.id) })
    const homework = { name: 'One', courseName: course, start: 1, end: 2, problemIds: [problemId] }
    const { id } = (await teacher.post('/homework', homework)).data
    await teacher.put(`/homework/${id}`, { ...homework, end: 3 })
    await teacher.delete(`/homework/${id}`)
    expect(actions(await entriesOf(teacher)).slice(0, 3)).toEqual([
      'homework.delete',
      'homework.edit',
      'homework.create',
    ])
  })

  test('keeps refusals of people who were signed in [PR1]', async () => {
    const { student, problemId } = await createProblem()
    await student.post(`/problem/${problemId}/rejudge`, {})
    await student.get('/audit')
    const [second, first] = await entriesOf(student)
    expect(first).toMatchObject({
      action: 'access.refuse',
      subject: `POST /api/problem/${problemId}/rejudge`,
      detail: { code: 'forbidden' },
    })
    expect(second?.subject).toBe('GET /api/audit')
  })

  test('keeps one entry a minute of somebody who is refused at one route again and again', async () => {
    const [first, second] = [await createProblem(), await createProblem()]
    const { student } = first
    await addMember(second, student)
    for (let time = 0; time < 5; time += 1)
      for (const { problemId } of [first, second])
        await student.post(`/problem/${problemId}/rejudge`, {})
    await student.get('/audit')
    expect((await entriesOf(student)).map(({ subject }) => subject)).toEqual([
      'GET /api/audit',
      `POST /api/problem/${first.problemId}/rejudge`,
    ])
    await first.ta.get('/audit')
    expect(await entriesOf(first.ta)).toHaveLength(1)
    await runSql`update rate_limits set full_at_ms = 0 where key like 'denial:%'`
    await student.post(`/problem/${second.problemId}/rejudge`, {})
    expect(await entriesOf(student)).toHaveLength(3)
  })

  test('keeps sign-ins that worked and sign-ins that did not [PR1]', async () => {
    const person = await createPerson(2)
    for (const password of ['a wrong password', PASSWORD]) await signIn(person.username, password)
    expect(actions(await entriesOf(person))).toEqual(['session.begin', 'session.refuse'])
  })

  test('keeps some of what is repeated: refused sign-ins of a site, edits of a profile', async () => {
    const [guessed, writer] = await createPeople(2, 2)
    const headers = { 'CF-Connecting-IP': '192.0.2.77' }
    await leaveTokens('refused:192.0.2.77', ACCOUNT_LIMITS.refusedSignInsPerSite, 2)
    for (const password of ['one guess', 'another guess', 'a third guess'])
      await signIn(guessed.username, password, headers)
    expect(actions(await entriesOf(guessed))).toEqual(['session.refuse', 'session.refuse'])
    await leaveTokens(`profile-edits:${writer.id}`, NOTED_EDITS, 1)
    for (const bio of ['one', 'two', 'three'])
      expect((await writer.post('/profile', { bio })).status).toBe(200)
    expect(actions(await entriesOf(writer))).toContain('user.profile')
    expect(actions(await entriesOf(writer)).filter((one) => one === 'user.profile')).toHaveLength(1)
  })

  test('a line break in a user agent forges no line [PR1]', async () => {
    const { student } = await createProblem()
    // A Headers object refuses CR and LF; similar characters of Unicode and C1 get through.
    const headers = { 'User-Agent': 'curl\u0085admin did it\u00a0' }
    await student.get('/runners', headers)
    const [entry] = await entriesOf(student)
    expect(entry?.detail['agent']).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
  })

  test('holds no password, token or source [PR1]', async () => {
    const { student, teacher, problemId } = await createProblem()
    const admin = await createPerson(0)
    const secret = 'the-source-nobody-logs'
    await submit(student, problemId, secret)
    await signIn(student.username)
    const added = await admin.post('/runners', { name: 'rack' })
    await admin.post('/auth/batch-signup', {
      newUsers: 'username,password,email\nauditme,pass-of-audit,auditme@example.test',
    })
    const rows = await allRows`select * from audit_entries`
    const text = JSON.stringify(rows)
    for (const secretText of [secret, PASSWORD, 'pass-of-audit', added.data.token, teacher.cookie])
      expect(text).not.toContain(secretText)
  })

  test('takes no change but the erasing of who and from where [PR1]', async () => {
    const { teacher } = await createProblem()
    const [entry] = await entriesOf(teacher)
    const run = (set: string) =>
      env.DB.prepare(`update audit_entries set ${set} where id = ?`).bind(entry?.id).run()
    for (const set of [
      "action = 'nothing'",
      'created_at = 0',
      "subject = 'other'",
      "ip = '192.0.2.99'",
      'actor_id = 1',
      `detail = '{"a":1}'`,
    ])
      await expect(run(set), set).rejects.toThrow(/only ever added/)
    await expect(runSql`delete from audit_entries where id = ${entry?.id}`).rejects.toThrow(
      /only ever added/,
    )
    await run("actor_id = null, ip = '', subject = '', detail = '{}'")
  })

  test('pages by cursor, filters by person and action, without a scan or a sort', async () => {
    const admin = await createPerson(0)
    const { teacher } = await createProblem()
    const seen: number[] = []
    let next: string | null = ''
    while (next !== null) {
      const path: string = `/audit?actor=${teacher.username}&limit=2${next && `&cursor=${next}`}`
      const page = await admin.get(path)
      seen.push(...page.data.items.map((entry: Entry) => entry.id))
      next = page.data.next
    }
    expect(seen).toEqual([...new Set(seen)].toSorted((left, right) => right - left))
    expect(seen.length).toBeGreaterThan(3)
    const edits = await entriesOf(teacher, '&action=problem.create')
    expect(actions(edits)).toEqual(['problem.create'])
    for (const filter of [
      '',
      'actor_id = 1 and',
      "action = 'x' and",
      "actor_id = 1 and action = 'x' and",
    ]) {
      const steps = await queryPlan(
        `select id from audit_entries where ${filter} id < 9 order by id desc limit 3`,
      )
      expect(steps.join()).not.toMatch(/SCAN|TEMP B-TREE/)
    }
  })

  test('is for admins', async () => {
    const { teacher, ta, student } = await createProblem()
    for (const as of [teacher, ta, student]) expect((await as.get('/audit')).status).toBe(403)
    expect((await call('GET', '/audit')).status).toBe(401)
    const admin = await createPerson(0)
    expect((await admin.get('/audit?cursor=x')).status).toBe(400)
    expect((await admin.get("/audit?action='")).status).toBe(400)
  })
})

describe('addresses', () => {
  test('are seen by staff only and removed after the documented days [PR2]', async () => {
    const { teacher, student, problemId } = await createProblem()
    await emptyQueue()
    const id = await submit(student, problemId)
    await judgeAll(await registerRunner(), STATUS.WA)
    const read = (as: Person) => as.get(`/submission/${id}`)
    expect((await read(teacher)).data.ipAddr).not.toBe('')
    expect((await read(student)).data).not.toHaveProperty('ipAddr')
    const kept = () => firstRow`select ip, status from submissions where id = ${id}`
    const day = 86_400
    await sweep(workerEnv, nowSeconds() + (PRIVACY.addressDays - 1) * day)
    expect(await kept()).toEqual({ ip: '127.0.0.1', status: 1 })
    await sweep(workerEnv, nowSeconds() + (PRIVACY.addressDays + 1) * day)
    expect(await kept()).toEqual({ ip: '', status: 1 })
    const left = await firstValue`select (select count(*) from audit_entries
        where ip <> '') + (select count(*) from login_records) as n`
    expect(left).toBe(0)
  })
})
