/** Profiles and the admin's view of people. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { SEARCHED_ACCOUNTS } from '../../../worker/db/people.ts'
import { openDb } from '../../../worker/db/client.ts'
import { eraseUser } from '../../../worker/features/users/erase-queries.ts'
import { findUser, updateUser } from '../../../worker/features/users/queries.ts'
import { allRows, firstRow, firstValue, numbersBelow, runSql } from '../support/sql.ts'
import {
  call,
  createCourse,
  createPeople,
  createPerson,
  signIn,
  uniqueName,
} from '../support/world.ts'

function rowOf(id: number) {
  return firstRow`select * from users where id = ${id}`
}

/** Reads every page of GET /user; answers the usernames. */
async function allPages(as: Awaited<ReturnType<typeof createPerson>>, query: string, limit = 2) {
  const names: string[] = []
  for (let cursor = ''; ;) {
    const page = await as.get(`/user?${query}&limit=${limit}${cursor}`)
    expect(page.status).toBe(200)
    expect(page.data.items.length).toBeLessThanOrEqual(limit)
    names.push(...page.data.items.map((item: { username: string }) => item.username))
    if (page.data.next === null) return names
    cursor = `&cursor=${page.data.next}`
  }
}

describe('a profile', () => {
  test('is open to everyone signed in, its e-mail only to its owner and admins', async () => {
    const [admin, person, other] = await createPeople(0, 2, 2)
    const see = async (as: typeof person) =>
      (await as.get(`/profile/${person.username.toUpperCase()}`)).data
    const open = {
      username: person.username,
      displayedName: `The ${person.username}`,
      bio: '',
      role: 2,
    }
    expect(await see(other)).toEqual(open)
    for (const viewer of [person, admin])
      expect(await see(viewer)).toEqual({ ...open, email: `${person.username}@example.test` })
    for (const name of ['nobody', 'no%20name', '*1'])
      expect((await other.get(`/profile/${name}`)).status).toBe(404)
    expect((await call('GET', `/profile/${person.username}`)).status).toBe(401)
  })

  test('saved from a tab that has not seen the last change is refused, and changes nothing', async () => {
    const [person, admin] = await createPeople(2, 0)
    const path = `/profile/${person.username}`
    const read = await person.get(path)
    const headers = { 'If-Match': read.headers.get('ETag') ?? '' }
    const save = (bio: string) => person.post('/profile', { bio }, headers).then(({ code }) => code)
    await admin.patch(`/user/${person.username}`, { displayedName: 'New' })
    expect(await save('from the old tab')).toBe('stale_edit')
    expect((await person.get(path)).data).toMatchObject({ displayedName: 'New', bio: '' })
    headers['If-Match'] = (await person.get(path)).headers.get('ETag') ?? ''
    const codes = await Promise.all(['one', 'two', 'three'].map(save))
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'stale_edit')).toHaveLength(2)
  })

  test('changes name and text and nothing else', async () => {
    const person = await createPerson(2)
    const before = await rowOf(person.id)
    const answer = await person.post('/profile', {
      displayedName: ' New name ',
      bio: 'words',
      role: 0,
      email: 'x@y.test',
      active: false,
      username: 'boss',
      id: 1,
      passwordHash: 'x',
    })
    expect(answer.status).toBe(200)
    expect(await rowOf(person.id)).toEqual({ ...before, displayed_name: 'New name', bio: 'words' })
    await person.post('/profile', { bio: '' })
    expect(await rowOf(person.id)).toEqual({ ...before, displayed_name: 'New name' })
    const long = await person.post('/profile', { displayedName: 'x'.repeat(33) })
    expect(long.data).toMatchObject([{ path: ['displayedName'], code: 'max_length' }])
    expect((await person.post('/profile', { displayedName: '  ' })).status).toBe(400)
  })
})

describe('the admin’s list', () => {
  test('walks everybody by name, a role, a course, or what holds a text', async () => {
    const { course, teacher, ta, student } = await createCourse()
    const admin = await createPerson(0)
    const everyone = await allPages(admin, '')
    expect(everyone).toEqual(everyone.toSorted())
    expect(everyone).toEqual(
      expect.arrayContaining([teacher, ta, student].map((one) => one.username)),
    )
    const students = await allPages(admin, 'role=2')
    expect(students).toContain(student.username)
    expect(students).not.toContain(teacher.username)
    expect(await allPages(admin, `course=${course}`)).toEqual(
      [teacher, ta, student].map((one) => one.username),
    )
    expect(await allPages(admin, `course=${course}&role=1`)).toEqual([teacher.username])
    expect(await allPages(admin, `course=${course}&search=${ta.username}`, 50)).toContain(
      ta.username,
    )
    expect(await allPages(admin, 'course=nothing')).toEqual([])
  })

  test('finds by username, e-mail and displayed name, each person once', async () => {
    const admin = await createPerson(0)
    const mark = uniqueName('Zz')
    const make = (username: string, email: string, displayedName: string) =>
      admin.post('/user', { username, email, displayedName, password: 'long enough' })
    await make(`${mark}-a`, `${mark}-a@example.test`, `${mark} both`)
    await make(`b-${mark}`, `${mark}-b@example.test`, 'By e-mail')
    await make(`c-${mark}`, `c-${mark}@example.test`, `${mark.toUpperCase()} by name`)
    await make(`d-${mark}`, `d-${mark}@example.test`, 'By username')
    const wanted = [`b-${mark}`, `c-${mark}`, `d-${mark}`, `${mark}-a`]
    for (const limit of [1, 2, 3, 50])
      expect(await allPages(admin, `search=${mark.toLowerCase()}`, limit)).toEqual(wanted)
    expect(await allPages(admin, `search=${mark}&role=1`)).toEqual([])
    expect(await allPages(admin, 'search=%25')).toEqual([])
    expect((await admin.get('/user?cursor=nonsense')).status).toBe(400)
  })

  test('a search finds the rest of a page that was full, and goes on behind what one call looks through', async () => {
    const admin = await createPerson(0)
    const last = SEARCHED_ACCOUNTS + 3
    const found = [0, 1, 2, last]
    await runSql`insert into users (username, username_key, email, displayed_name, role, password_hash, active, created_at)
      select name, name, name, iif(value in (select value from json_each(${JSON.stringify(found)})), 'one of them', ''), 2, '', 1, 1
      from (select printf('0-%06d', value) as name, value from json_each(${numbersBelow(last + 1)}))`
    const names = found.map((each) => `0-${String(each).padStart(6, '0')}`)
    expect(await allPages(admin, 'search=one%20of%20them')).toEqual(names)
    await runSql`delete from users where username_key like '0-%'`
  })

  test('counts people by role', async () => {
    const admin = await createPerson(0)
    const { userCount, breakdown } = (await admin.get('/user/summary')).data
    expect(breakdown.map((part: { role: number }) => part.role)).toEqual([0, 1, 2])
    const rows = await firstRow<{ n: number }>`select count(*) n from users`
    expect(userCount).toBe(rows?.n)
  })

  test.each([
    ['GET', '/user'],
    ['GET', '/user/summary'],
    ['POST', '/user'],
    ['PATCH', '/user/nobody'],
    ['DELETE', '/user/nobody'],
  ])('%s %s is for admins', async (method, path) => {
    for (const role of [1, 2] as const)
      expect((await call(method, path, { as: await createPerson(role) })).status).toBe(403)
    expect((await call(method, path)).status).toBe(401)
  })
})

describe('an admin', () => {
  test('creates an account that can sign in, and hears what is taken', async () => {
    const admin = await createPerson(0)
    const username = uniqueName('Made')
    const json = { username, email: `${username}@Example.test`, role: 1, password: 'long enough' }
    expect((await admin.post('/user', json)).data).toMatchObject({
      username,
      displayedName: username,
      email: json.email.toLowerCase(),
      role: 1,
      active: true,
    })
    const again = (changes: object) => admin.post('/user', { ...json, ...changes })
    expect(
      await again({ username: username.toUpperCase(), email: 'new@example.test' }),
    ).toMatchObject({ status: 409, code: 'username_exists' })
    expect(await again({ username: uniqueName('Made') })).toMatchObject({
      status: 409,
      code: 'email_exists',
    })
    expect(
      (
        await again({
          username: uniqueName('Made'),
          email: 'fresh@example.test',
          password: 'iloveyou',
        })
      ).data,
    ).toMatchObject([{ path: ['password'], code: 'common_password' }])
    const login = await signIn(username, 'long enough')
    expect(login.message).toBe('Login Success')
    const audit = await firstRow`select count(*) n from audit_entries where action = 'user.create'
        and actor_id = ${admin.id}`
    expect(audit).toEqual({ n: 1 })
  })

  test.each([
    ['closes an account', { active: false }],
    ['gives a role', { role: 1 }],
    ['gives a password', { password: 'given by admin' }],
  ])('who %s ends its sessions at once [AU5]', async (_, json) => {
    const [admin, person] = await createPeople(0, 2)
    const { token } = (await person.post('/auth/tokens', { name: 'ci', scopes: ['read'] })).data
    expect((await admin.patch(`/user/${person.username}`, json)).status).toBe(200)
    expect((await person.get('/auth/me')).status).toBe(401)
    expect((await call('GET', '/auth/me', { token })).status).toBe(401)
  })

  test('changes of name and address leave sessions alone', async () => {
    const [admin, person] = await createPeople(0, 2)
    const email = `${person.username}@new.example.test`
    const json = { displayedName: 'Renamed', email: email.toUpperCase(), role: 2 }
    const answer = await admin.patch(`/user/${person.username}`, json)
    expect(answer.data).toMatchObject({
      username: person.username,
      displayedName: 'Renamed',
      email,
      active: true,
    })
    expect((await person.get('/auth/me')).data.displayedName).toBe('Renamed')
    const taken = await admin.patch(`/user/${person.username}`, {
      email: `${admin.username}@example.test`,
    })
    expect(taken).toMatchObject({ status: 409, code: 'email_exists' })
  })

  test('unknown fields of a change are ignored [AZ5]', async () => {
    const [admin, person] = await createPeople(0, 2)
    const before = await rowOf(person.id)
    const json = {
      username: 'other',
      usernameKey: 'other',
      id: 1,
      passwordHash: 'x',
      createdAt: 0,
      bio: 'x',
      disabledAt: 1,
    }
    expect((await admin.patch(`/user/${person.username}`, json)).status).toBe(200)
    expect(await rowOf(person.id)).toEqual(before)
    for (const as of [person, await createPerson(1)])
      expect((await as.patch(`/user/${person.username}`, { role: 0 })).status).toBe(403)
    expect(await rowOf(person.id)).toEqual(before)
  })

  test('the last one cannot be demoted, closed or erased, not even by two at once', async () => {
    await runSql`update users set role = 2 where role = 0`
    const [first, second] = await createPeople(0, 0)
    const demote = (as: typeof first, whom: typeof first) =>
      as.patch(`/user/${whom.username}`, { role: 2 })
    const answers = await Promise.all([demote(first, second), demote(second, first)])
    const admins = await allRows<{ username: string }>`
      select username from users where role = 0`
    expect(admins).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    const last = admins[0]?.username === first.username ? first : second
    for (const [method, json] of [
      ['PATCH', { role: 1 }],
      ['PATCH', { active: false }],
      ['DELETE', undefined],
    ] as const)
      expect(await call(method, `/user/${last.username}`, { as: last, json })).toMatchObject({
        status: 409,
        code: 'last_admin',
      })
    expect((await last.get('/auth/me')).data.role).toBe(0)
  })

  test('a change decides on the account as it is by then, and keeps what others changed', async () => {
    await runSql`update users set role = 2 where role = 0`
    const [last, person] = await createPeople(0, 1)
    const db = openDb(env.DB)
    const read = async (username: string) => {
      const found = await findUser(db, username)
      if (!found) throw new Error('nobody')
      return found
    }
    const change = { actor: await read(last.username), ip: '', now: 1 }
    const early = await read(person.username)
    await runSql`update users set role = 0 where id = ${person.id}`
    expect((await updateUser(db, early, { active: true }, null, change)).role).toBe(0)
    await runSql`update users set role = 2 where id = ${last.id}`
    const failure = { code: 'last_admin' }
    await expect(updateUser(db, early, { active: false }, null, change)).rejects.toMatchObject(
      failure,
    )
    await expect(updateUser(db, early, { role: 1 }, null, change)).rejects.toMatchObject(failure)
    await expect(eraseUser(db, early, change)).rejects.toMatchObject(failure)
    expect((await person.get('/auth/me')).data.role).toBe(0)
    expect(
      await firstValue`select count(*) from audit_entries where subject = ${String(person.id)}`,
    ).toBe(1)
  })

  test('another e-mail ends the link that went to the old one, and no session', async () => {
    const [admin, person] = await createPeople(0, 2)
    await runSql`insert into account_links (user_id, purpose, token_hash, expires_at)
      values (${person.id}, 'reset', ${person.username}, 99999999999)`
    const links = () =>
      firstValue`select count(*) n from account_links where user_id = ${person.id}`
    const patch = (email: string) => admin.patch(`/user/${person.username}`, { email })
    await patch(`${person.username}@example.test`)
    expect(await links()).toBe(1)
    await patch(`${person.username}@new.example.test`)
    expect(await links()).toBe(0)
    expect((await person.get('/auth/me')).status).toBe(200)
  })

  test('a password of white space alone counts as none', async () => {
    const [admin, person] = await createPeople(0, 2)
    const json = { password: ' '.repeat(12) }
    const answer = await admin.patch(`/user/${person.username}`, json)
    expect(answer.data).toMatchObject([{ path: ['password'], code: 'required' }])
  })
})

describe('rights are not remembered', () => {
  test('a student who was removed is out at the next call [AZ7]', async () => {
    const { course, teacher, student } = await createCourse()
    expect((await student.get(`/course/${course}`)).status).toBe(200)
    await teacher.patch(`/course/${course}/members`, { remove: [student.username] })
    expect((await student.get(`/course/${course}`)).status).toBe(404)
  })

  test('a teacher who was demoted has no course, even when signed in again [AZ7]', async () => {
    const { course, teacher } = await createCourse()
    const admin = await createPerson(0)
    await admin.patch(`/user/${teacher.username}`, { role: 2 })
    expect((await teacher.get(`/course/${course}`)).status).toBe(401)
    const again = teacher.withSessionOf(await signIn(teacher.username))
    expect((await again.patch(`/course/${course}/members`, { add: [] })).status).toBe(404)
  })
})
