/** Profiles and the admin's view of people. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { eraseUser } from '../../../worker/features/users/erase-queries.ts'
import { findUser, updateUser } from '../../../worker/features/users/queries.ts'
import {
  call,
  createCourse,
  createPerson,
  fetchApi,
  PASSWORD,
  uniqueName,
} from '../support/world.ts'

/** The row of an account. */
function rowOf(id: number) {
  return env.DB.prepare('select * from users where id = ?').bind(id).first()
}

/** Every page of GET /user, and the usernames in it. */
async function allPages(as: Awaited<ReturnType<typeof createPerson>>, query: string, limit = 2) {
  const names: string[] = []
  for (let cursor = ''; ;) {
    const page = await call('GET', `/user?${query}&limit=${limit}${cursor}`, { as })
    expect(page.status).toBe(200)
    expect(page.data.items.length).toBeLessThanOrEqual(limit)
    names.push(...page.data.items.map((item: { username: string }) => item.username))
    if (page.data.next === null) return names
    cursor = `&cursor=${page.data.next}`
  }
}

describe('a profile', () => {
  test('is open to everyone signed in, its e-mail only to its owner and admins', async () => {
    const [admin, person, other] = [
      await createPerson(0),
      await createPerson(2),
      await createPerson(2),
    ]
    const see = async (as: typeof person) =>
      (await call('GET', `/profile/${person.username.toUpperCase()}`, { as })).data
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
      expect((await call('GET', `/profile/${name}`, { as: other })).status).toBe(404)
    expect((await call('GET', `/profile/${person.username}`)).status).toBe(401)
  })

  test('saved from a tab that has not seen the last change is refused, and changes nothing', async () => {
    const [person, admin] = [await createPerson(2), await createPerson(0)]
    const path = `/profile/${person.username}`
    const read = await call('GET', path, { as: person })
    const headers = { 'If-Match': read.headers.get('ETag') ?? '' }
    const save = (bio: string) =>
      call('POST', '/profile', { as: person, json: { bio }, headers }).then(({ code }) => code)
    await call('PATCH', `/user/${person.username}`, { as: admin, json: { displayedName: 'New' } })
    expect(await save('from the old tab')).toBe('stale_edit')
    expect((await call('GET', path, { as: person })).data).toMatchObject({
      displayedName: 'New',
      bio: '',
    })
    headers['If-Match'] = (await call('GET', path, { as: person })).headers.get('ETag') ?? ''
    const codes = await Promise.all(['one', 'two', 'three'].map(save))
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'stale_edit')).toHaveLength(2)
  })

  test('changes name and text and nothing else', async () => {
    const person = await createPerson(2)
    const before = await rowOf(person.id)
    const answer = await call('POST', '/profile', {
      as: person,
      json: {
        displayedName: ' New name ',
        bio: 'words',
        role: 0,
        email: 'x@y.test',
        active: false,
        username: 'boss',
        id: 1,
        passwordHash: 'x',
      },
    })
    expect(answer.status).toBe(200)
    expect(await rowOf(person.id)).toEqual({ ...before, displayed_name: 'New name', bio: 'words' })
    await call('POST', '/profile', { as: person, json: { bio: '' } })
    expect(await rowOf(person.id)).toEqual({ ...before, displayed_name: 'New name' })
    const long = await call('POST', '/profile', {
      as: person,
      json: { displayedName: 'x'.repeat(33) },
    })
    expect(long.data).toMatchObject([{ path: ['displayedName'], code: 'max_length' }])
    expect(
      (await call('POST', '/profile', { as: person, json: { displayedName: '  ' } })).status,
    ).toBe(400)
  })
})

describe('the admin’s list', () => {
  test('walks everybody by name, a role, a course, or what begins with a text', async () => {
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
      call('POST', '/user', {
        as: admin,
        json: { username, email, displayedName, password: 'long enough' },
      })
    await make(`${mark}-a`, `${mark}-a@example.test`, `${mark} both`)
    await make(`b-${mark}`, `${mark}-b@example.test`, 'By e-mail')
    await make(`c-${mark}`, `c-${mark}@example.test`, `${mark.toUpperCase()} by name`)
    await make(`d-${mark}`, `d-${mark}@example.test`, `not ${mark}`)
    const wanted = [`${mark}-a`, `b-${mark}`, `c-${mark}`]
    for (const limit of [1, 2, 3, 50])
      expect(await allPages(admin, `search=${mark.toLowerCase()}`, limit)).toEqual(wanted)
    expect(await allPages(admin, `search=${mark}&role=1`)).toEqual([])
    expect(await allPages(admin, 'search=%25')).toEqual([])
    expect((await call('GET', '/user?cursor=nonsense', { as: admin })).status).toBe(400)
  })

  test('counts people by role', async () => {
    const admin = await createPerson(0)
    const { userCount, breakdown } = (await call('GET', '/user/summary', { as: admin })).data
    expect(breakdown.map((part: { role: number }) => part.role)).toEqual([0, 1, 2])
    const rows = await env.DB.prepare('select count(*) n from users').first<{ n: number }>()
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
    expect((await call('POST', '/user', { as: admin, json })).data).toMatchObject({
      username,
      displayedName: username,
      email: json.email.toLowerCase(),
      role: 1,
      active: true,
    })
    const again = (changes: object) =>
      call('POST', '/user', { as: admin, json: { ...json, ...changes } })
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
    const login = await call('POST', '/auth/session', {
      json: { username, password: 'long enough' },
    })
    expect(login.message).toBe('Login Success')
    const audit = await env.DB.prepare(
      "select count(*) n from audit_entries where action = 'user.create' and actor_id = ?",
    )
      .bind(admin.id)
      .first()
    expect(audit).toEqual({ n: 1 })
  })

  test.each([
    ['closes an account', { active: false }],
    ['gives a role', { role: 1 }],
    ['gives a password', { password: 'given by admin' }],
  ])('who %s ends its sessions at once', async (_, json) => {
    const [admin, person] = [await createPerson(0), await createPerson(2)]
    const { token } = (
      await call('POST', '/auth/tokens', { as: person, json: { name: 'ci', scopes: ['read'] } })
    ).data
    expect((await call('PATCH', `/user/${person.username}`, { as: admin, json })).status).toBe(200)
    expect((await call('GET', '/auth/me', { as: person })).status).toBe(401)
    expect((await call('GET', '/auth/me', { token })).status).toBe(401)
  })

  test('changes of name and address leave sessions alone', async () => {
    const [admin, person] = [await createPerson(0), await createPerson(2)]
    const email = `${person.username}@new.example.test`
    const json = { displayedName: 'Renamed', email: email.toUpperCase(), role: 2 }
    const answer = await call('PATCH', `/user/${person.username}`, { as: admin, json })
    expect(answer.data).toMatchObject({
      username: person.username,
      displayedName: 'Renamed',
      email,
      active: true,
    })
    expect((await call('GET', '/auth/me', { as: person })).data.displayedName).toBe('Renamed')
    const taken = await call('PATCH', `/user/${person.username}`, {
      as: admin,
      json: { email: `${admin.username}@example.test` },
    })
    expect(taken).toMatchObject({ status: 409, code: 'email_exists' })
  })

  test('unknown fields of a change are ignored', async () => {
    const [admin, person] = [await createPerson(0), await createPerson(2)]
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
    expect((await call('PATCH', `/user/${person.username}`, { as: admin, json })).status).toBe(200)
    expect(await rowOf(person.id)).toEqual(before)
    for (const as of [person, await createPerson(1)])
      expect(
        (await call('PATCH', `/user/${person.username}`, { as, json: { role: 0 } })).status,
      ).toBe(403)
    expect(await rowOf(person.id)).toEqual(before)
  })

  test('the last one cannot be demoted, closed or erased, not even by two at once', async () => {
    await env.DB.prepare('update users set role = 2 where role = 0').run()
    const [first, second] = [await createPerson(0), await createPerson(0)]
    const demote = (as: typeof first, whom: typeof first) =>
      call('PATCH', `/user/${whom.username}`, { as, json: { role: 2 } })
    const answers = await Promise.all([demote(first, second), demote(second, first)])
    const admins = await env.DB.prepare('select username from users where role = 0').all<{
      username: string
    }>()
    expect(admins.results).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    const last = admins.results[0]?.username === first.username ? first : second
    for (const [method, json] of [
      ['PATCH', { role: 1 }],
      ['PATCH', { active: false }],
      ['DELETE', undefined],
    ] as const)
      expect(await call(method, `/user/${last.username}`, { as: last, json })).toMatchObject({
        status: 409,
        code: 'last_admin',
      })
    expect((await call('GET', '/auth/me', { as: last })).data.role).toBe(0)
  })

  test('a change decides on the account as it is by then, and keeps what others changed', async () => {
    await env.DB.prepare('update users set role = 2 where role = 0').run()
    const [last, person] = [await createPerson(0), await createPerson(1)]
    const db = openDb(env.DB)
    const read = async (username: string) => {
      const found = await findUser(db, username)
      if (!found) throw new Error('nobody')
      return found
    }
    const change = { actor: await read(last.username), ip: '', now: 1 }
    const early = await read(person.username)
    await env.DB.prepare('update users set role = 0 where id = ?').bind(person.id).run()
    expect((await updateUser(db, early, { active: true }, null, change)).role).toBe(0)
    await env.DB.prepare('update users set role = 2 where id = ?').bind(last.id).run()
    const failure = { code: 'last_admin' }
    await expect(updateUser(db, early, { active: false }, null, change)).rejects.toMatchObject(
      failure,
    )
    await expect(updateUser(db, early, { role: 1 }, null, change)).rejects.toMatchObject(failure)
    await expect(eraseUser(db, early, change)).rejects.toMatchObject(failure)
    expect((await call('GET', '/auth/me', { as: person })).data.role).toBe(0)
    const audited = env.DB.prepare('select count(*) n from audit_entries where subject = ?')
    expect(await audited.bind(String(person.id)).first('n')).toBe(1)
  })

  test('another e-mail ends the link that went to the old one, and no session', async () => {
    const [admin, person] = [await createPerson(0), await createPerson(2)]
    await env.DB.prepare(
      "insert into account_links (user_id, purpose, token_hash, expires_at) values (?, 'reset', ?, 99999999999)",
    )
      .bind(person.id, person.username)
      .run()
    const links = () =>
      env.DB.prepare('select count(*) n from account_links where user_id = ?')
        .bind(person.id)
        .first('n')
    const patch = (email: string) =>
      call('PATCH', `/user/${person.username}`, { as: admin, json: { email } })
    await patch(`${person.username}@example.test`)
    expect(await links()).toBe(1)
    await patch(`${person.username}@new.example.test`)
    expect(await links()).toBe(0)
    expect((await call('GET', '/auth/me', { as: person })).status).toBe(200)
  })

  test('a password of white space alone counts as none', async () => {
    const [admin, person] = [await createPerson(0), await createPerson(2)]
    const json = { password: ' '.repeat(12) }
    const answer = await call('PATCH', `/user/${person.username}`, { as: admin, json })
    expect(answer.data).toMatchObject([{ path: ['password'], code: 'required' }])
  })
})

describe('rights are not remembered', () => {
  test('a student who was removed is out at the next call', async () => {
    const { course, teacher, student } = await createCourse()
    expect((await call('GET', `/course/${course}`, { as: student })).status).toBe(200)
    await call('PATCH', `/course/${course}/members`, {
      as: teacher,
      json: { remove: [student.username] },
    })
    expect((await call('GET', `/course/${course}`, { as: student })).status).toBe(404)
  })

  test('a teacher who was demoted has no course, even when signed in again', async () => {
    const { course, teacher } = await createCourse()
    const admin = await createPerson(0)
    await call('PATCH', `/user/${teacher.username}`, { as: admin, json: { role: 2 } })
    expect((await call('GET', `/course/${course}`, { as: teacher })).status).toBe(401)
    const response = await fetchApi('POST', '/auth/session', {
      json: { username: teacher.username, password: PASSWORD },
    })
    const again = { ...teacher, cookie: response.headers.get('Set-Cookie')?.split(';')[0] ?? '' }
    expect(
      (await call('PATCH', `/course/${course}/members`, { as: again, json: { add: [] } })).status,
    ).toBe(404)
  })
})
