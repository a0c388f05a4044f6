/** The admin's view of accounts in whole answers, and edits that meet other edits. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import type { SessionUser } from '../../../worker/db/sessions.ts'
import {
  accountVersion,
  findUser,
  updateProfile,
  updateUser,
} from '../../../worker/features/users/queries.ts'
import { lastMailTo } from '../support/mails.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  call,
  createCourse,
  createPeople,
  createPerson,
  PASSWORD,
  signIn,
  uniqueName,
  type Person,
} from '../support/world.ts'

const db = openDb(env.DB)
const etag = expect.stringMatching(/^"v\d+-item"$/)

describe('an account that an admin', () => {
  test('makes is answered whole, as the list has it', async () => {
    const admin = await createPerson(0)
    const now = Math.floor(Date.now() / 1000)
    const [open, waiting] = [uniqueName('Open'), uniqueName('Waits')]
    const made = async (json: object) => (await admin.post('/user', json)).data
    const first = await made({
      username: open,
      email: `${open}@Example.test`,
      displayedName: ' Ada ',
      role: 1,
      password: 'long enough words',
    })
    const second = await made({ username: waiting, email: `${waiting}@example.test` })
    const common = { emailConfirmed: true, createTime: expect.any(Number), etag }
    expect(first).toEqual({
      ...common,
      username: open,
      displayedName: 'Ada',
      role: 1,
      email: `${open}@example.test`.toLowerCase(),
      active: true,
    })
    expect(second).toEqual({
      ...common,
      username: waiting,
      displayedName: waiting,
      role: 2,
      email: `${waiting}@example.test`.toLowerCase(),
      active: false,
    })
    expect(first.createTime).toBeGreaterThanOrEqual(now)
    await lastMailTo(`${waiting}@example.test`.toLowerCase())
    const mailed = await allRows`select 1 from logged_mails where recipient = ${first.email}`
    expect(mailed).toEqual([])
    for (const each of [first, second]) {
      const { data } = await admin.get(`/user?search=${each.username}`)
      expect(data).toEqual({ items: [each], next: null })
    }
    const claim = await createPerson(2, { emailConfirmed: false, active: false })
    const [item] = (await admin.get(`/user?search=${claim.username}`)).data.items
    expect(item).toMatchObject({ emailConfirmed: false, active: false })
  })

  test('vouches for gets a link unless it is closed or has a password already', async () => {
    const admin = await createPerson(0)
    const vouch = { emailConfirmed: true }
    const claims: Person[] = []
    for (let made = 0; made < 3; made += 1)
      claims.push(await createPerson(2, { emailConfirmed: false }))
    const [closed, given, plain] = claims
    if (!closed || !given || !plain) throw new Error('no claims')
    const patch = (person: Person, json: object) => admin.patch(`/user/${person.username}`, json)
    await patch(closed, { active: false })
    expect((await patch(closed, vouch)).data).toMatchObject({ emailConfirmed: true, active: false })
    const words = { ...vouch, password: 'words by an admin' }
    expect((await patch(given, words)).status).toBe(200)
    expect((await patch(plain, vouch)).status).toBe(200)
    const links = await allRows`select user_id, purpose from account_links
      where user_id in (${closed.id}, ${given.id}, ${plain.id})`
    expect(links).toEqual([{ user_id: plain.id, purpose: 'activate' }])
    expect(await lastMailTo(`${plain.username}@example.test`)).toContain('vouched for')
    expect((await signIn(given.username, words.password)).status).toBe(200)
    expect((await signIn(plain.username, PASSWORD)).status).toBe(403)
    await patch(closed, { active: true })
    const opened = await firstRow`select active, disabled_at from users where id = ${closed.id}`
    expect(opened).toEqual({ active: 1, disabled_at: null })
  })
})

describe('the list of people', () => {
  test('of a course has those who match by name and role, and nobody of a deleted one', async () => {
    const [{ course, teacher, ta, student }, admin] = [await createCourse(), await createPerson(0)]
    await createCourse()
    await runSql`update users set displayed_name = 'One of Them' where id in (${teacher.id}, ${student.id})`
    const names = async (query: string) =>
      (await admin.get(`/user?course=${course}&${query}`)).data.items.map(
        ({ username }: Person) => username,
      )
    expect(await names('')).toEqual([teacher, ta, student].map(({ username }) => username))
    expect(await names('search=one%20of%20THEM')).toEqual([teacher.username, student.username])
    expect(await names('search=one%20of%20them&role=2')).toEqual([student.username])
    expect(await names('role=0')).toEqual([])
    await teacher.delete('/course', { course })
    expect(await names('')).toEqual([])
  })

  test('counts each role, without those who were erased', async () => {
    const [admin, gone] = await createPeople(0, 2)
    await createPeople(1, 2, 2)
    await admin.delete(`/user/${gone.username}`)
    const counted = await allRows<{ role: number; count: number }>`select role, count(*) as count
      from users where username not like '*%' group by role order by role`
    expect((await admin.get('/user/summary')).data).toEqual({
      userCount: counted.reduce((sum, { count }) => sum + count, 0),
      breakdown: counted,
    })
    expect((await admin.get(`/user?search=*${gone.id}`)).data.items).toEqual([])
  })
})

describe('an edit based on what somebody changed meanwhile', () => {
  const changes: [string, (id: number) => Promise<unknown>][] = [
    ['the name', (id) => runSql`update users set displayed_name = 'Other' where id = ${id}`],
    ['the text', (id) => runSql`update users set bio = 'other' where id = ${id}`],
    ['the role', (id) => runSql`update users set role = 1 where id = ${id}`],
    [
      'the e-mail',
      (id) => runSql`update users set email = 'x' || id || '@x.test' where id = ${id}`,
    ],
    ['whether it is open', (id) => runSql`update users set active = 0 where id = ${id}`],
  ]

  async function read(username: string) {
    const row = await findUser(db, username)
    if (!row) throw new Error('nobody')
    return row
  }

  test.each(changes)(
    'is refused, be it %s: read before or in the midst of the call',
    async (_, meanwhile) => {
      const [admin, person] = await createPeople(0, 2)
      const early = await read(person.username)
      const change = { actor: await read(admin.username), ip: '', now: 1 }
      const own = { ...change, actor: early as SessionUser }
      const version = accountVersion(early)
      await meanwhile(person.id)
      const stale = { code: 'stale_edit' }
      const edit = { displayedName: 'Mine' }
      await expect(updateUser(db, early, edit, version, change)).rejects.toMatchObject(stale)
      await expect(updateProfile(db, edit, version, own)).rejects.toMatchObject(stale)
      const late = await read(person.username)
      expect(accountVersion(late)).not.toBe(version)
      await expect(updateUser(db, late, edit, version, change)).rejects.toMatchObject(stale)
      expect(
        await firstValue`select count(*) from audit_entries
      where subject = ${String(person.id)}`,
      ).toBe(0)
      expect(await updateUser(db, late, edit, accountVersion(late), change)).toMatchObject(edit)
    },
  )

  test('writes nothing of another account', async () => {
    const [admin, person, other] = await createPeople(0, 2, 2)
    const before = await read(other.username)
    const json = { displayedName: 'N', role: 1, active: false, password: 'words by an admin' }
    expect((await admin.patch(`/user/${person.username}`, json)).status).toBe(200)
    await person.post('/profile', { bio: 'x' })
    expect(await read(other.username)).toEqual(before)
    expect((await other.get('/auth/me')).status).toBe(200)
    expect((await call('GET', '/auth/me')).status).toBe(401)
  })
})
