import { describe, expect, test } from 'vitest'
import { sha256Hex } from '../../../worker/lib/ids.ts'
import { hashPassword, verifyPassword } from '../../../worker/lib/password.ts'
import { allRows, runSql } from '../support/sql.ts'
import {
  call,
  createCourse,
  createPeople,
  createPerson,
  PASSWORD,
  Person,
  signIn,
  type CallOptions,
  uniqueName,
} from '../support/world.ts'

describe('signing in', () => {
  test('a username and an e-mail address both work, in any case, and give a host cookie [AU2] [AU6]', async () => {
    const person = await createPerson(2)
    for (const username of [person.username.toUpperCase(), `${person.username}@EXAMPLE.test`]) {
      const response = await signIn(username)
      expect(response.status).toBe(200)
      const cookie = response.headers.get('Set-Cookie') ?? ''
      expect(cookie).toMatch(
        /^__Host-session=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
    }
  })

  test('a wrong password and an unknown name get the same answer [AU1]', async () => {
    const person = await createPerson(2)
    const wrong = await signIn(person.username, 'wrong-password')
    const unknown = await signIn('nobody', 'wrong-password')
    expect(wrong).toMatchObject({ status: 403, message: 'Login Failed' })
    expect({ ...unknown, headers: null }).toEqual({ ...wrong, headers: null })
  })

  test('an account that is not active is told where its mail is', async () => {
    const person = await createPerson(2, { active: false })
    const answer = await signIn(person.username)
    expect(answer).toMatchObject({
      status: 403,
      message: 'Invalid User',
      data: { host: 'example.test' },
    })
  })

  test.each(['', '   '])(
    'a blank name and password (%j) are refused by field [AU2]',
    async (blank) => {
      const answer = await signIn(blank, blank)
      expect(answer.status).toBe(400)
      expect(answer.data.map((error: { message: string }) => error.message)).toEqual([
        'Value is required',
        'Value is required',
      ])
    },
  )

  test('signing in again ends the session the browser came with; signing out ends the new one [AU4] [AU5]', async () => {
    const person = await createPerson(2)
    const json = { username: person.username, password: PASSWORD }
    const renewed = person.withSessionOf(await person.post('/auth/session', json))
    expect((await person.get('/auth/me')).status).toBe(401)
    expect((await renewed.get('/auth/me')).data.username).toBe(person.username)
    expect((await renewed.delete('/auth/session')).message).toBe('Goodbye')
    expect((await renewed.get('/auth/me')).status).toBe(401)
  })

  test('a session that somebody else has put into the browser is nobody’s before and after signing in [AU4]', async () => {
    const person = await createPerson(2)
    const planted = new Person(person.id, person.username, `__Host-session=${'a'.repeat(43)}`)
    expect((await planted.get('/auth/me')).status).toBe(401)
    const json = { username: person.username, password: PASSWORD }
    const own = planted.withSessionOf(await planted.post('/auth/session', json))
    expect(own.cookie).not.toBe(planted.cookie)
    expect((await own.get('/auth/me')).data.username).toBe(person.username)
    expect((await planted.get('/auth/me')).status).toBe(401)
  })

  test('a page that asks leniently whether anybody is signed in reads null, never a foreign person', async () => {
    const person = await createPerson(2)
    const headers = { Prefer: 'handling=lenient' }
    expect(await call('GET', '/auth/me', { headers })).toMatchObject({ status: 200, data: null })
    const ended = new Person(person.id, person.username, '__Host-session=gone')
    expect((await ended.get('/auth/me', headers)).data).toBeNull()
    expect((await person.get('/auth/me', headers)).data.username).toBe(person.username)
    expect((await call('GET', '/auth/me', { token: 'nonsense', headers })).status).toBe(401)
    expect((await ended.get('/auth/me')).status).toBe(401)
  })

  test('only the hash of a session is stored [AU6]', async () => {
    const person = await createPerson(2)
    const rows = await allRows<{ token_hash: string }>`
      select token_hash from sessions`
    const token = person.cookie.split('=')[1] ?? ''
    expect(rows.map((row) => row.token_hash)).toContain(await sha256Hex(token))
    expect(rows.every((row) => /^[0-9a-f]{64}$/.test(row.token_hash))).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('an idle session and an old session are over [AU8]', async () => {
    const [idle, old] = await createPeople(2, 2)
    await runSql`update sessions set last_seen_at = last_seen_at - 8 * 86400
      where user_id = ${idle.id}`
    await runSql`update sessions set created_at = created_at - 31 * 86400 where user_id = ${old.id}`
    expect((await idle.get('/auth/me')).status).toBe(401)
    expect((await old.get('/auth/me')).status).toBe(401)
  })

  describe('on a shared computer', () => {
    test('the cookie goes with the browser; elsewhere it stays', async () => {
      const person = await createPerson(2)
      const cookieOf = async (sharedComputer: boolean) => {
        const json = { username: person.username, password: PASSWORD, sharedComputer }
        const { headers } = await call('POST', '/auth/session', { json })
        return headers.getSetCookie().find((text) => text.startsWith('__Host-session='))
      }
      expect(await cookieOf(true)).not.toMatch(/max-age|expires/i)
      expect(await cookieOf(false)).toMatch(/Max-Age=2592000/)
    })

    test.each([
      ['two hours without a call', 'last_seen_at', 2 * 3_600],
      ['twelve hours', 'created_at', 12 * 3_600],
    ])('a session ends after %s', async (_, column, seconds) => {
      const person = await createPerson(2)
      const json = { username: person.username, password: PASSWORD, sharedComputer: true }
      const shared = person.withSessionOf(await call('POST', '/auth/session', { json }))
      await runSql`update sessions set last_seen_at = last_seen_at - iif(${column} = 'last_seen_at', ${seconds}, 0),
        created_at = created_at - iif(${column} = 'created_at', ${seconds}, 0) where user_id = ${person.id}`
      expect((await shared.get('/auth/me')).status).toBe(401)
      const sessions = (await person.get('/auth/sessions')).data
      expect(sessions).toMatchObject([{ current: true }])
    })
  })

  test('signing out empties the browser’s cache; a program and a guest have none to empty', async () => {
    const person = await createPerson(2)
    const headersOf = async (options: CallOptions) =>
      (await call('DELETE', '/auth/session', options)).headers.get('Clear-Site-Data')
    expect(await headersOf({ token: 'nonsense' })).toBeNull()
    expect(await headersOf({})).toBeNull()
    expect(await headersOf({ as: person })).toBe('"cache"')
  })

  test('ending the session one is in, and a new password, empty the browser’s cache, too', async () => {
    const [ending, changing] = await createPeople(2, 2)
    const [{ id }] = (await ending.get('/auth/sessions')).data
    const ended = await ending.delete(`/auth/sessions/${id}`)
    expect(ended.headers.get('Clear-Site-Data')).toBe('"cache"')
    const json = { oldPassword: PASSWORD, newPassword: 'words that are new' }
    const changed = await changing.post('/auth/change-password', json)
    expect(changed.headers.get('Clear-Site-Data')).toBe('"cache"')
  })
})

describe('another site', () => {
  test.each([
    ['POST', '/auth/session'],
    ['DELETE', '/auth/session'],
    ['GET', '/auth/session'],
    ['GET', '/submission/000000000000000000000000/rejudge'],
    ['POST', '/course'],
  ])('%s %s is refused', async (method, path) => {
    const person = await createPerson(0)
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(
        (await call(method, path, { as: person, headers: { 'Sec-Fetch-Site': site } })).code,
      ).toBe('cross_site')
    expect((await person.get('/auth/me', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(200)
  })
})

describe('passwords', () => {
  test('a hash carries its parameters and is checked by them [AU9]', async () => {
    const phc = await hashPassword('pässword ')
    expect(phc).toMatch(/^\$scrypt-chain\$n=5,ln=14,r=8,p=1\$/)
    expect(await verifyPassword('pässword ', phc)).toBe(true)
    expect(await verifyPassword('pässword', phc)).toBe(false)
    expect(await verifyPassword('anything', null)).toBe(false)
  })
})

describe('batch sign-up', () => {
  test('creates, enrols and leaves alone, row by row', async () => {
    const { course, teacher, student } = await createCourse()
    const outsider = await createPerson(2)
    const fresh = uniqueName('fresh')
    const csv = [
      '\u{feff}username,password,email,displayedName',
      `${fresh},long enough,${fresh}@example.test,"Fresh, the ""new"" one"`,
      `${outsider.username},,${outsider.username}@example.test,`,
      `${student.username},,${student.username}@example.test,`,
    ].join('\r\n')
    const dry = await teacher.post('/auth/batch-signup', { newUsers: csv, course, dryRun: true })
    expect(dry.data).toMatchObject({ created: 1, enrolled: 1, unchanged: 1 })
    const members = async () => (await teacher.get(`/course/${course}`)).data.students
    expect(await members()).toHaveLength(1)
    const done = await teacher.post('/auth/batch-signup', { newUsers: csv, course })
    expect(done.data.rows.map((row: { action: string }) => row.action)).toEqual([
      'create',
      'enrol',
      'none',
    ])
    expect(await members()).toHaveLength(3)
    const login = await signIn(fresh, 'long enough')
    expect(login.message).toBe('Login Success')
  })

  test('one bad row stores nothing and every bad row is named [IV6]', async () => {
    const { course, teacher } = await createCourse()
    const good = uniqueName('good')
    const csv = [
      'username,password,email,role',
      `${good},long enough,${good}@example.test,student`,
      `bad name,long enough,not-an-address,student`,
      `short${good.slice(-3)},short,s-${good}@example.test,student`,
      `boss${good.slice(-3)},long enough,b-${good}@example.test,admin`,
      `${good.toUpperCase()},long enough,twice@example.test,student`,
    ].join('\n')
    const answer = await teacher.post('/auth/batch-signup', { newUsers: csv, course })
    expect(answer).toMatchObject({ status: 400, code: 'bad_csv', data: { created: 0 } })
    const bad = answer.data.rows.filter((row: { action: string }) => row.action === 'error')
    expect(bad.map((row: { line: number }) => row.line)).toEqual([3, 4, 5, 6])
    expect((await teacher.get(`/course/${course}`)).data.students).toHaveLength(1)
  })

  test('students may not, teachers only for their own course', async () => {
    const { course, student, ta } = await createCourse()
    const stranger = await createPerson(1)
    const json = { newUsers: 'username,password,email\nx,long enough,x@example.test', course }
    expect((await student.post('/auth/batch-signup', json)).status).toBe(403)
    expect((await ta.post('/auth/batch-signup', json)).status).toBe(403)
    expect((await stranger.post('/auth/batch-signup', json)).status).toBe(404)
    expect((await stranger.post('/auth/batch-signup', { newUsers: json.newUsers })).status).toBe(
      403,
    )
  })
})
