/**
 * An e-mail counts only when its owner has confirmed it or an admin has vouched for it. The attack: the teacher of one
 * course makes an account for somebody else's address with a password of their choice, and another course takes it for
 * that person.
 */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { COUNT_LIMITS } from '#contract/limits'
import { lastMailTo, tokenIn } from '../support/mails.ts'
import {
  call,
  createCourse,
  createPerson,
  createProblem,
  uniqueName,
  type Person,
} from '../support/world.ts'

const MAKERS_WORDS = 'known to the maker'
const OWNERS_WORDS = 'known to the owner'

type Course = Awaited<ReturnType<typeof createCourse>>

function upload(as: Person, newUsers: string, options: object = {}) {
  return call('POST', '/auth/batch-signup', { as, json: { newUsers, ...options } })
}

/** An active account that a course's teacher makes for an address. */
async function makeClaim({ course, teacher }: Course, email: string): Promise<string> {
  const username = uniqueName('claim')
  const csv = `username,password,email\n${username},${MAKERS_WORDS},${email}`
  const made = await upload(teacher, csv, { course })
  expect(made.data).toMatchObject({ created: 1 })
  return username
}

/** The answer of signing in, and the person when that was a success. */
async function signIn(username: string, password: string) {
  const answer = await call('POST', '/auth/session', { json: { username, password } })
  const cookie = /__Host-session=[^;]+/.exec(answer.headers.get('Set-Cookie') ?? '')?.[0] ?? ''
  return { status: answer.status, person: { id: 0, username, cookie } satisfies Person }
}

function addTo({ course, teacher }: Course, user: string, role: 'ta' | 'student') {
  return call('PATCH', `/course/${course}/members`, {
    as: teacher,
    json: { add: [{ user, role }] },
  })
}

/** Follows the link of the newest mail to an address that asks for a new password. */
async function takeBack(email: string, count = 1): Promise<void> {
  const token = tokenIn(await lastMailTo(email, count), 'token')
  const json = { token, newPassword: OWNERS_WORDS }
  expect((await call('POST', '/auth/password-reset', { json })).status).toBe(200)
}

let mine: Course
let theirs: Awaited<ReturnType<typeof createProblem>>
let professor: string

beforeEach(async () => {
  mine = await createCourse()
  theirs = await createProblem()
  professor = `${uniqueName('professor')}@example.test`
})

describe('an account that a teacher made for somebody else’s address', () => {
  test('works in the course that made it, and in no other by any way of adding people', async () => {
    const claim = await makeClaim(mine, professor)
    const { status, person } = await signIn(claim, MAKERS_WORDS)
    expect(status).toBe(200)
    expect((await call('GET', '/auth/me', { as: person })).data.emailConfirmed).toBe(false)
    expect((await call('GET', `/course/${mine.course}`, { as: person })).status).toBe(200)
    // By e-mail nobody is found.
    for (const role of ['ta', 'student'] as const)
      expect(await addTo(theirs, professor, role)).toMatchObject({
        code: 'user_not_found',
        data: { unknown: [professor] },
      })
    // By username the course is told whom it would take in.
    const refusal = {
      status: 409,
      code: 'email_unconfirmed',
      data: { unconfirmed: [{ username: claim, displayedName: claim, role: 2 }] },
    }
    for (const role of ['ta', 'student'] as const)
      expect(await addTo(theirs, claim.toUpperCase(), role)).toMatchObject(refusal)
    for (const lists of [
      { TAs: [claim], students: [] },
      { TAs: [], students: [claim] },
    ]) {
      const answer = await call('PUT', `/course/${theirs.course}`, {
        as: theirs.teacher,
        json: lists,
      })
      expect(answer).toMatchObject(refusal)
    }
    for (const options of [{}, { force: true }, { uppercase: false, dryRun: true }]) {
      const csv = `username,password,email\n${claim},,${professor}`
      const { data } = await upload(theirs.teacher, csv, { course: theirs.course, ...options })
      expect(data.rows[0].action).toBe('error')
    }
    const admin = await createPerson(0)
    const csv = `username,password,email,role\n${claim},,${professor},teacher`
    expect((await upload(admin, csv, { force: true })).data.rows[0].faults).toMatchObject([
      { path: ['role'], code: 'unconfirmed' },
    ])
    expect((await upload(admin, csv.replace('teacher', ''), { course: theirs.course })).code).toBe(
      'bad_csv',
    )
    // What the maker reads with it: nothing.
    for (const path of [
      `/course/${theirs.course}`,
      `/problem/${theirs.problemId}`,
      `/submission?course=${theirs.course}`,
    ])
      expect((await call('GET', path, { as: person })).status, path).toBe(404)
    const copy = { as: person, json: { course: mine.course } }
    expect((await call('POST', `/problem/${theirs.problemId}/copy`, copy)).status).toBe(404)
    const { data } = await call('GET', `/course/${theirs.course}`, { as: theirs.teacher })
    expect([data.TAs.length, data.students.length]).toEqual([1, 1])
  })

  test('becomes no staff: no assistant of its own course, no teacher, no admin', async () => {
    const claim = await makeClaim(mine, professor)
    const admin = await createPerson(0)
    expect((await addTo(mine, claim, 'ta')).code).toBe('email_unconfirmed')
    expect((await addTo(mine, claim, 'student')).status).toBe(200)
    for (const role of [0, 1])
      expect((await call('PATCH', `/user/${claim}`, { as: admin, json: { role } })).code).toBe(
        'email_unconfirmed',
      )
    // Even where a role is there already, from before the rule.
    await env.DB.prepare('update users set role = 1 where username = ?').bind(claim).run()
    const made = { course: uniqueName('Handed '), teacher: claim }
    expect((await call('POST', '/course', { as: admin, json: made })).code).toBe(
      'email_unconfirmed',
    )
    const handed = { course: theirs.course, teacher: claim }
    const { teacher: as } = theirs
    expect((await call('PUT', '/course', { as, json: handed })).code).toBe('email_unconfirmed')
  })

  test('keeps the places it had before the rule, through every edit of the lists', async () => {
    const { course, teacher, student } = mine
    const old = await createPerson(2, { emailConfirmed: false })
    await env.DB.prepare(
      `insert into memberships select id, ?, 'ta', 0 from courses where name = ?`,
    )
      .bind(old.id, course)
      .run()
    const detail = async (as: Person) => (await call('GET', `/course/${course}`, { as })).data
    expect((await detail(teacher)).unconfirmed).toEqual([old.username])
    expect((await detail(student)).unconfirmed).toBeUndefined()
    const lists = { TAs: [old.username], students: [student.username] }
    expect((await call('PUT', `/course/${course}`, { as: teacher, json: lists })).status).toBe(200)
    expect((await call('GET', `/course/${course}`, { as: old })).data.role).toBe('ta')
    expect((await addTo(mine, old.username, 'student')).status).toBe(200)
    expect((await addTo(mine, old.username, 'ta')).code).toBe('email_unconfirmed')
  })

  test('is not found by its e-mail at sign-in once another account claims the same', async () => {
    const claim = await makeClaim(mine, professor)
    expect((await signIn(professor, MAKERS_WORDS)).status).toBe(200)
    await makeClaim(theirs, professor)
    expect((await signIn(professor, MAKERS_WORDS)).status).toBe(403)
    expect((await signIn(claim, MAKERS_WORDS)).status).toBe(200)
  })

  test('does not keep the true owner from the address: an admin’s account has it at once', async () => {
    const claim = await makeClaim(mine, professor)
    const admin = await createPerson(0)
    expect(
      (await call('POST', '/auth/check/email', { json: { email: professor } })).data.valid,
    ).toBe(1)
    const json = { username: uniqueName('true'), email: professor, password: OWNERS_WORDS }
    expect((await call('POST', '/user', { as: admin, json })).data).toMatchObject({
      emailConfirmed: true,
    })
    expect((await signIn(professor, OWNERS_WORDS)).status).toBe(200)
    expect((await signIn(professor, MAKERS_WORDS)).status).toBe(403)
    expect((await addTo(theirs, professor, 'ta')).status).toBe(200)
    const { data } = await call('GET', `/course/${theirs.course}`, { as: theirs.teacher })
    expect(data.TAs.map(({ username }: Person) => username)).toContain(json.username)
    // The claim goes on where it was made, and can never be confirmed.
    const { person } = await signIn(claim, MAKERS_WORDS)
    expect((await call('POST', '/auth/email', { as: person, json: {} })).code).toBe('email_exists')
    expect((await call('GET', `/course/${mine.course}`, { as: person })).status).toBe(200)
    expect(
      (await call('PATCH', `/user/${claim}`, { as: admin, json: { emailConfirmed: true } })).code,
    ).toBe('email_exists')
  })
})

describe('confirming', () => {
  test('by the recovery mail ends all that the maker can sign in with', async () => {
    const claim = await makeClaim(mine, professor)
    const { person: maker } = await signIn(claim, MAKERS_WORDS)
    const token = await call('POST', '/auth/tokens', {
      as: maker,
      json: { name: 'kept', scopes: ['read'] },
    })
    expect(token.status).toBe(200)
    await call('POST', '/auth/password-recovery', { json: { email: professor } })
    expect(await lastMailTo(professor)).toContain(claim)
    await takeBack(professor)
    expect((await call('GET', '/auth/me', { as: maker })).status).toBe(401)
    expect((await call('GET', '/auth/me', { token: token.data.token })).status).toBe(401)
    expect((await signIn(claim, MAKERS_WORDS)).status).toBe(403)
    const { person: owner } = await signIn(professor, OWNERS_WORDS)
    expect((await call('GET', '/auth/me', { as: owner })).data.emailConfirmed).toBe(true)
    expect((await addTo(theirs, professor, 'ta')).status).toBe(200)
    const force = `username,password,email\n${claim},${MAKERS_WORDS},${professor}`
    const again = await upload(mine.teacher, force, { course: mine.course, force: true })
    expect(again.data.rows[0].action).toBe('error')
  })

  test('by the mail that the maker asks for leaves the maker outside, too', async () => {
    const claim = await makeClaim(mine, professor)
    const { person: maker } = await signIn(claim, MAKERS_WORDS)
    expect((await call('POST', '/auth/email', { as: maker, json: {} })).status).toBe(200)
    const token = tokenIn(await lastMailTo(professor), 'confirm')
    const path = '/auth/email/confirm'
    expect((await call('POST', path, { json: { token } })).data).toMatchObject([
      { path: ['newPassword'], code: 'required' },
    ])
    const json = { token, newPassword: OWNERS_WORDS }
    expect((await call('POST', path, { json })).status).toBe(200)
    expect((await call('POST', path, { json })).code).toBe('bad_link')
    expect((await call('GET', '/auth/me', { as: maker })).status).toBe(401)
    expect((await signIn(claim, MAKERS_WORDS)).status).toBe(403)
    const { person: owner } = await signIn(claim, OWNERS_WORDS)
    expect((await call('POST', '/auth/email', { as: owner, json: {} })).code).toBe(
      'email_confirmed',
    )
  })

  test('of two claims is the owner’s choice, and the other one stays a claim', async () => {
    const [wanted, other] = [await makeClaim(mine, professor), await makeClaim(theirs, professor)]
    await call('POST', '/auth/password-recovery', { json: { email: professor } })
    const mail = await lastMailTo(professor)
    const tokenOf = (name: string) =>
      tokenIn(new RegExp(`^${name}: (.*)$`, 'm').exec(mail)?.[1] ?? '', 'token')
    const reset = (name: string) =>
      call('POST', '/auth/password-reset', {
        json: { token: tokenOf(name), newPassword: OWNERS_WORDS },
      })
    expect((await reset(wanted)).status).toBe(200)
    expect((await reset(other)).code).toBe('email_exists')
    expect((await signIn(other, MAKERS_WORDS)).status).toBe(200)
    expect((await signIn(professor, OWNERS_WORDS)).status).toBe(200)
    // From now on the address leads to the one account.
    await call('POST', '/auth/password-recovery', { json: { email: professor } })
    expect(await lastMailTo(professor, 2)).not.toContain(other)
  })

  test('cannot be buried under claims: the mail names the oldest', async () => {
    const { course } = mine
    const [owner, later] = [await makeClaim(theirs, professor), uniqueName('later')]
    await env.DB.prepare(
      `insert into users (username, username_key, email, displayed_name, role, active, created_at, made_in_course_id)
       select 'b' || n.value || ?, 'b' || n.value || ?, ?, '', 2, 1, 0, (select id from courses where name = ?)
       from json_each(?) n`,
    )
      .bind(owner, owner, professor, course, JSON.stringify([...Array(30).keys()]))
      .run()
    await call('POST', '/auth/password-recovery', { json: { email: professor } })
    const mail = await lastMailTo(professor)
    expect(mail.match(/#token=/g)).toHaveLength(COUNT_LIMITS.claimsPerMail)
    expect(mail).toMatch(new RegExp(`^${owner}: `, 'm'))
    // Who is not named signs in and asks for the mail of this one account.
    await upload(theirs.teacher, `username,password,email\n${later},${MAKERS_WORDS},${professor}`, {
      course: theirs.course,
    })
    const { person } = await signIn(later, MAKERS_WORDS)
    await call('POST', '/auth/email', { as: person, json: {} })
    expect(await lastMailTo(professor, 2)).toContain(`account ${later} names`)
  })

  test('is refused when another account was faster', async () => {
    const [first, second] = [await makeClaim(mine, professor), await makeClaim(theirs, professor)]
    const tokens = []
    for (const [index, name] of [first, second].entries()) {
      const { person } = await signIn(name, MAKERS_WORDS)
      await call('POST', '/auth/email', { as: person, json: {} })
      tokens.push(tokenIn(await lastMailTo(professor, index + 1), 'confirm'))
    }
    const answers = await Promise.all(
      tokens.map((token) =>
        call('POST', '/auth/email/confirm', { json: { token, newPassword: OWNERS_WORDS } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { n } = (await env.DB.prepare(
      'select count(*) n from users where email = ? and email_confirmed_at is not null',
    )
      .bind(professor)
      .first<{ n: number }>()) ?? { n: 0 }
    expect(n).toBe(1)
  })

  test('mails are few: per person and per address', async () => {
    const claim = await createPerson(2, { emailConfirmed: false })
    const ask = () => call('POST', '/auth/email', { as: claim, json: {} })
    const answers = [await ask(), await ask(), await ask(), await ask()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(Number(answers[3]?.headers.get('Retry-After'))).toBeGreaterThan(0)
    const target = `${uniqueName('flooded')}@example.test`
    const statuses = []
    for (let index = 0; index < 6; index += 1) {
      const as = await createPerson(2)
      statuses.push((await call('POST', '/auth/email', { as, json: { email: target } })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('are not used up for its owner by whoever types the address', async () => {
    const claim = await makeClaim(mine, professor)
    const { person: owner } = await signIn(claim, MAKERS_WORDS)
    const askAs = async (as: Person) =>
      (await call('POST', '/auth/email', { as, json: { email: professor } })).status
    const [one, other] = [await createPerson(2), await createPerson(2)]
    const asked = []
    for (let time = 0; time < 6; time += 1) asked.push(await askAs(one))
    expect(asked).toEqual([200, 200, 200, 429, 429, 429])
    // What was refused for the one took nothing from the others.
    expect([await askAs(other), await askAs(other), await askAs(other)]).toEqual([200, 200, 429])
    expect(await askAs(owner)).toBe(200)
  })
})

describe('an admin who vouches', () => {
  test('ends the maker’s password and has a link mailed, by which the owner chooses one', async () => {
    const claim = await makeClaim(mine, professor)
    const { person: maker } = await signIn(claim, MAKERS_WORDS)
    const admin = await createPerson(0)
    const json = { role: 1, emailConfirmed: true }
    const path = `/user/${claim}`
    expect((await call('PATCH', path, { as: admin, json })).data).toMatchObject({
      role: 1,
      emailConfirmed: true,
    })
    expect((await call('GET', '/auth/me', { as: maker })).status).toBe(401)
    expect((await signIn(claim, MAKERS_WORDS)).status).toBe(403)
    const token = tokenIn(await lastMailTo(professor), 'activate')
    expect((await call('POST', '/auth/activate', { json: { token } })).data).toMatchObject([
      { path: ['password'], code: 'required' },
    ])
    const activation = { token, password: OWNERS_WORDS }
    expect((await call('POST', '/auth/activate', { json: activation })).status).toBe(200)
    const { person: owner } = await signIn(professor, OWNERS_WORDS)
    // Vouching again changes nothing.
    await call('PATCH', path, { as: admin, json: { emailConfirmed: true } })
    expect((await call('GET', '/auth/me', { as: owner })).status).toBe(200)
  })

  test('opens no account that is closed', async () => {
    const admin = await createPerson(0)
    const { username } = await createPerson(2, { emailConfirmed: false })
    const json = { emailConfirmed: true, active: false }
    const changed = await call('PATCH', `/user/${username}`, { as: admin, json })
    expect(changed.data).toMatchObject({ emailConfirmed: true, active: false })
    const links = await env.DB.prepare(
      'select 1 from account_links l join users u on u.id = l.user_id where u.username = ?',
    )
      .bind(username)
      .all()
    expect(links.results).toEqual([])
  })

  test('and changes only the address leaves it a claim, or counting, as it was', async () => {
    const admin = await createPerson(0)
    const [claim, known] = [await createPerson(2, { emailConfirmed: false }), await createPerson(2)]
    for (const [person, counts] of [
      [claim, false],
      [known, true],
    ] as const) {
      const json = { email: `${person.username}@new.example.test` }
      const { data } = await call('PATCH', `/user/${person.username}`, { as: admin, json })
      expect(data).toMatchObject({ ...json, emailConfirmed: counts })
      expect((await call('GET', '/auth/me', { as: person })).status).toBe(200)
    }
  })
})

describe('changing one’s own address', () => {
  const move = (as: Person | undefined, json: object) =>
    call('POST', '/auth/email/move', { as, json })

  async function linkTo(as: Person, email: string): Promise<string> {
    expect((await call('POST', '/auth/email', { as, json: { email } })).status).toBe(200)
    return tokenIn(await lastMailTo(email), 'move')
  }

  test('takes the mail to the new one and the owner’s own session; the old one is told', async () => {
    const [owner, stranger] = [await createPerson(2), await createPerson(2)]
    const email = `${uniqueName('moved')}@example.test`
    const token = await linkTo(owner, email)
    const me = () => call('GET', '/auth/me', { as: owner })
    expect((await me()).data.email).toBe(`${owner.username}@example.test`)
    // Who reads the new address alone, or was talked into the link, changes nothing.
    expect((await move(undefined, { token })).status).toBe(401)
    expect((await move(stranger, { token })).code).toBe('bad_link')
    for (const path of ['/auth/email/confirm', '/auth/password-reset'])
      expect((await call('POST', path, { json: { token, newPassword: OWNERS_WORDS } })).code).toBe(
        'bad_link',
      )
    expect((await move(owner, { token })).status).toBe(200)
    expect((await me()).data).toMatchObject({ email, emailConfirmed: true })
    expect(await lastMailTo(`${owner.username}@example.test`)).toContain(owner.username)
    expect((await move(owner, { token })).code).toBe('bad_link')
  })

  test('is refused for an address that counts for another account, then and when the link is used', async () => {
    const [owner, other] = [await createPerson(2), await createPerson(2)]
    const taken = { email: `${other.username}@example.test` }
    expect((await call('POST', '/auth/email', { as: owner, json: taken })).code).toBe(
      'email_exists',
    )
    const email = `${uniqueName('raced')}@example.test`
    const token = await linkTo(owner, email)
    const admin = await createPerson(0)
    await call('PATCH', `/user/${other.username}`, { as: admin, json: { email } })
    expect((await move(owner, { token })).code).toBe('email_exists')
    expect((await call('GET', '/auth/me', { as: owner })).data.email).not.toBe(email)
  })

  test('from an unconfirmed one needs a new password, for the maker knows the old', async () => {
    const claim = await makeClaim(mine, professor)
    const { person } = await signIn(claim, MAKERS_WORDS)
    const email = `${uniqueName('right')}@example.test`
    const token = await linkTo(person, email)
    expect((await move(person, { token })).data).toMatchObject([
      { path: ['newPassword'], code: 'required' },
    ])
    expect((await move(person, { token, newPassword: OWNERS_WORDS })).status).toBe(200)
    expect((await call('GET', '/auth/me', { as: person })).status).toBe(401)
    expect((await signIn(claim, MAKERS_WORDS)).status).toBe(403)
    expect((await signIn(email, OWNERS_WORDS)).status).toBe(200)
  })

  test('to one’s own, confirmed one is no change', async () => {
    const owner = await createPerson(2)
    const json = { email: `${owner.username}@EXAMPLE.test` }
    expect((await call('POST', '/auth/email', { as: owner, json })).code).toBe('email_confirmed')
  })
})

test('a file enrols whom it names: an account under the username with another address is not that person', async () => {
  const known = await createPerson(2)
  const { course, teacher } = theirs
  const csv = (email: string) => `username,password,email\n${known.username},,${email}`
  expect((await upload(teacher, csv(professor), { course })).data.rows[0].faults).toMatchObject([
    { path: ['email'], code: 'email_differs' },
  ])
  const right = csv(`${known.username}@example.test`)
  expect((await upload(teacher, right, { course })).data).toMatchObject({ enrolled: 1 })
  // Who is in already is not asked again.
  expect((await upload(teacher, csv(professor), { course })).data).toMatchObject({ unchanged: 1 })
})
