/**
 * An email address counts only after its owner has confirmed it or an admin has vouched for it. The attack: a teacher makes
 * an account for another person's address with a password of the teacher's choice, and another course takes the account
 * for that person.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { CLAIMS_PER_MAIL } from '../../../worker/features/auth/accounts/account-queries.ts'
import { lastMailTo, tokenIn } from '../support/mails.ts'
import { allRows, firstRow, runSql } from '../support/sql.ts'
import {
  call,
  createCourse,
  createPeople,
  createPerson,
  createProblem,
  Person,
  signIn,
  uniqueName,
} from '../support/world.ts'

const MAKERS_WORDS = 'known to the maker'
const OWNERS_WORDS = 'known to the owner'

type Course = Awaited<ReturnType<typeof createCourse>>

function upload(as: Person, newUsers: string, options: object = {}) {
  return as.post('/auth/batch-signup', { newUsers, ...options })
}

/** An active account that a course's teacher makes for an address (a claim); answers its username. */
async function makeClaim({ course, teacher }: Course, email: string): Promise<string> {
  const username = uniqueName('claim')
  const csv = `username,password,email\n${username},${MAKERS_WORDS},${email}`
  const made = await upload(teacher, csv, { course })
  expect(made.data).toMatchObject({ created: 1 })
  return username
}

/** Tries to sign in; answers the status, and the person if it succeeded. */
async function enter(username: string, password: string) {
  const answer = await signIn(username, password)
  return { status: answer.status, person: new Person(0, username, '').withSessionOf(answer) }
}

function addTo({ course, teacher }: Course, user: string, role: 'ta' | 'student') {
  return teacher.patch(`/course/${course}/members`, { add: [{ user, role }] })
}

/** Sets a new password by the newest mail to an address. */
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
    const { status, person } = await enter(claim, MAKERS_WORDS)
    expect(status).toBe(200)
    expect((await person.get('/auth/me')).data.emailConfirmed).toBe(false)
    expect((await person.get(`/course/${mine.course}`)).status).toBe(200)
    // The address finds nobody.
    for (const role of ['ta', 'student'] as const)
      expect(await addTo(theirs, professor, role)).toMatchObject({
        code: 'user_not_found',
        data: { unknown: [professor] },
      })
    // For a username the refusal tells the course whom it would add.
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
      const answer = await theirs.teacher.put(`/course/${theirs.course}`, lists)
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
    // With this account, the teacher who made it can read nothing there.
    for (const path of [
      `/course/${theirs.course}`,
      `/problem/${theirs.problemId}`,
      `/submission?course=${theirs.course}`,
    ])
      expect((await person.get(path)).status, path).toBe(404)
    const copy = { as: person, json: { course: mine.course } }
    expect((await call('POST', `/problem/${theirs.problemId}/copy`, copy)).status).toBe(404)
    const { data } = await theirs.teacher.get(`/course/${theirs.course}`)
    expect([data.TAs.length, data.students.length]).toEqual([1, 1])
  })

  test('becomes no staff: no assistant of its own course, no teacher, no admin', async () => {
    const claim = await makeClaim(mine, professor)
    const admin = await createPerson(0)
    expect((await addTo(mine, claim, 'ta')).code).toBe('email_unconfirmed')
    expect((await addTo(mine, claim, 'student')).status).toBe(200)
    for (const role of [0, 1])
      expect((await admin.patch(`/user/${claim}`, { role })).code).toBe('email_unconfirmed')
    // The same holds for an account that already has a role, from before the rule.
    await runSql`update users set role = 1 where username = ${claim}`
    const made = { course: uniqueName('Handed '), teacher: claim }
    expect((await admin.post('/course', made)).code).toBe('email_unconfirmed')
    const handed = { course: theirs.course, teacher: claim }
    const { teacher: as } = theirs
    expect((await as.put('/course', handed)).code).toBe('email_unconfirmed')
  })

  test('keeps the places it had before the rule, through every edit of the lists', async () => {
    const { course, teacher, student } = mine
    const old = await createPerson(2, { emailConfirmed: false })
    await runSql`insert into memberships (course_id, user_id, role, joined_at)
      select id, ${old.id}, 'ta', 0 from courses
      where name = ${course}`
    const detail = async (as: Person) => (await as.get(`/course/${course}`)).data
    expect((await detail(teacher)).unconfirmed).toEqual([old.username])
    expect((await detail(student)).unconfirmed).toBeUndefined()
    const lists = { TAs: [old.username], students: [student.username] }
    expect((await teacher.put(`/course/${course}`, lists)).status).toBe(200)
    expect((await old.get(`/course/${course}`)).data.role).toBe('ta')
    expect((await addTo(mine, old.username, 'student')).status).toBe(200)
    expect((await addTo(mine, old.username, 'ta')).code).toBe('email_unconfirmed')
  })

  test('is not found by its e-mail at sign-in once another account claims the same', async () => {
    const claim = await makeClaim(mine, professor)
    expect((await enter(professor, MAKERS_WORDS)).status).toBe(200)
    await makeClaim(theirs, professor)
    expect((await enter(professor, MAKERS_WORDS)).status).toBe(403)
    expect((await enter(claim, MAKERS_WORDS)).status).toBe(200)
  })

  test('does not keep the true owner from the address: an admin’s account has it at once', async () => {
    const claim = await makeClaim(mine, professor)
    const admin = await createPerson(0)
    expect(
      (await call('POST', '/auth/check/email', { json: { email: professor } })).data.valid,
    ).toBe(1)
    const json = { username: uniqueName('true'), email: professor, password: OWNERS_WORDS }
    expect((await admin.post('/user', json)).data).toMatchObject({ emailConfirmed: true })
    expect((await enter(professor, OWNERS_WORDS)).status).toBe(200)
    expect((await enter(professor, MAKERS_WORDS)).status).toBe(403)
    expect((await addTo(theirs, professor, 'ta')).status).toBe(200)
    const { data } = await theirs.teacher.get(`/course/${theirs.course}`)
    expect(data.TAs.map(({ username }: Person) => username)).toContain(json.username)
    // The claim still works in its own course, and can never be confirmed.
    const { person } = await enter(claim, MAKERS_WORDS)
    expect((await person.post('/auth/email', {})).code).toBe('email_exists')
    expect((await person.get(`/course/${mine.course}`)).status).toBe(200)
    expect((await admin.patch(`/user/${claim}`, { emailConfirmed: true })).code).toBe(
      'email_exists',
    )
  })
})

describe('confirming', () => {
  test('by the recovery mail ends all that the maker can sign in with', async () => {
    const claim = await makeClaim(mine, professor)
    const { person: maker } = await enter(claim, MAKERS_WORDS)
    const token = await maker.post('/auth/tokens', { name: 'kept', scopes: ['read'] })
    expect(token.status).toBe(200)
    await call('POST', '/auth/password-recovery', { json: { email: professor } })
    expect(await lastMailTo(professor)).toContain(claim)
    await takeBack(professor)
    expect((await maker.get('/auth/me')).status).toBe(401)
    expect((await call('GET', '/auth/me', { token: token.data.token })).status).toBe(401)
    expect((await enter(claim, MAKERS_WORDS)).status).toBe(403)
    const { person: owner } = await enter(professor, OWNERS_WORDS)
    expect((await owner.get('/auth/me')).data.emailConfirmed).toBe(true)
    expect((await addTo(theirs, professor, 'ta')).status).toBe(200)
    const force = `username,password,email\n${claim},${MAKERS_WORDS},${professor}`
    const again = await upload(mine.teacher, force, { course: mine.course, force: true })
    expect(again.data.rows[0].action).toBe('error')
  })

  test('by the mail that the maker asks for leaves the maker outside, too', async () => {
    const claim = await makeClaim(mine, professor)
    const { person: maker } = await enter(claim, MAKERS_WORDS)
    expect((await maker.post('/auth/email', {})).status).toBe(200)
    const token = tokenIn(await lastMailTo(professor), 'confirm')
    const path = '/auth/email/confirm'
    expect((await call('POST', path, { json: { token } })).data).toMatchObject([
      { path: ['newPassword'], code: 'required' },
    ])
    const json = { token, newPassword: OWNERS_WORDS }
    expect((await call('POST', path, { json })).status).toBe(200)
    expect((await call('POST', path, { json })).code).toBe('bad_link')
    expect((await maker.get('/auth/me')).status).toBe(401)
    expect((await enter(claim, MAKERS_WORDS)).status).toBe(403)
    const { person: owner } = await enter(claim, OWNERS_WORDS)
    expect((await owner.post('/auth/email', {})).code).toBe('email_confirmed')
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
    expect((await enter(other, MAKERS_WORDS)).status).toBe(200)
    expect((await enter(professor, OWNERS_WORDS)).status).toBe(200)
    // From now on the address belongs to one account.
    await call('POST', '/auth/password-recovery', { json: { email: professor } })
    expect(await lastMailTo(professor, 2)).not.toContain(other)
  })

  test('cannot be buried under claims: the mail names the oldest', async () => {
    const { course } = mine
    const [owner, later] = [await makeClaim(theirs, professor), uniqueName('later')]
    await runSql`insert into users (username, username_key, email, displayed_name, role, active, created_at, made_in_course_id)
       select 'b' || n.value || ${owner}, 'b' || n.value || ${owner}, ${professor}, '', 2, 1, 0, (select id from courses where name = ${course})
       from json_each(${JSON.stringify([...Array(30).keys()])}) n`
    await call('POST', '/auth/password-recovery', { json: { email: professor } })
    const mail = await lastMailTo(professor)
    expect(mail.match(/#token=/g)).toHaveLength(CLAIMS_PER_MAIL)
    expect(mail).toMatch(new RegExp(`^${owner}: `, 'm'))
    // An owner whose account the mail leaves out can sign in and ask for a mail about it.
    await upload(theirs.teacher, `username,password,email\n${later},${MAKERS_WORDS},${professor}`, {
      course: theirs.course,
    })
    const { person } = await enter(later, MAKERS_WORDS)
    await person.post('/auth/email', {})
    expect(await lastMailTo(professor, 2)).toContain(`account ${later} uses`)
  })

  test('is refused when another account was faster', async () => {
    const [first, second] = [await makeClaim(mine, professor), await makeClaim(theirs, professor)]
    const tokens = []
    for (const [index, name] of [first, second].entries()) {
      const { person } = await enter(name, MAKERS_WORDS)
      await person.post('/auth/email', {})
      tokens.push(tokenIn(await lastMailTo(professor, index + 1), 'confirm'))
    }
    const answers = await Promise.all(
      tokens.map((token) =>
        call('POST', '/auth/email/confirm', { json: { token, newPassword: OWNERS_WORDS } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { n } = (await firstRow<{ n: number }>`
      select count(*) n from users where email = ${professor} and email_confirmed_at is not null`) ?? {
      n: 0,
    }
    expect(n).toBe(1)
  })

  test('mails are few: per person and per address', async () => {
    const claim = await createPerson(2, { emailConfirmed: false })
    const ask = () => claim.post('/auth/email', {})
    const answers = [await ask(), await ask(), await ask(), await ask()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(Number(answers[3]?.headers.get('Retry-After'))).toBeGreaterThan(0)
    const target = `${uniqueName('flooded')}@example.test`
    const statuses = []
    for (let index = 0; index < 6; index += 1) {
      const as = await createPerson(2)
      statuses.push((await as.post('/auth/email', { email: target })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('are not used up for its owner by whoever types the address', async () => {
    const claim = await makeClaim(mine, professor)
    const { person: owner } = await enter(claim, MAKERS_WORDS)
    const askAs = async (as: Person) => (await as.post('/auth/email', { email: professor })).status
    const [one, other] = await createPeople(2, 2)
    const asked = []
    for (let time = 0; time < 6; time += 1) asked.push(await askAs(one))
    expect(asked).toEqual([200, 200, 200, 429, 429, 429])
    // Each person has a limit of their own.
    expect([await askAs(other), await askAs(other), await askAs(other)]).toEqual([200, 200, 429])
    expect(await askAs(owner)).toBe(200)
  })
})

describe('an admin who vouches', () => {
  test('ends the maker’s password and has a link mailed, by which the owner chooses one', async () => {
    const claim = await makeClaim(mine, professor)
    const { person: maker } = await enter(claim, MAKERS_WORDS)
    const admin = await createPerson(0)
    const json = { role: 1, emailConfirmed: true }
    const path = `/user/${claim}`
    expect((await admin.patch(path, json)).data).toMatchObject({ role: 1, emailConfirmed: true })
    expect((await maker.get('/auth/me')).status).toBe(401)
    expect((await enter(claim, MAKERS_WORDS)).status).toBe(403)
    const token = tokenIn(await lastMailTo(professor), 'activate')
    expect((await call('POST', '/auth/activate', { json: { token } })).data).toMatchObject([
      { path: ['password'], code: 'required' },
    ])
    const activation = { token, password: OWNERS_WORDS }
    expect((await call('POST', '/auth/activate', { json: activation })).status).toBe(200)
    const { person: owner } = await enter(professor, OWNERS_WORDS)
    // Vouching a second time changes nothing.
    await admin.patch(path, { emailConfirmed: true })
    expect((await owner.get('/auth/me')).status).toBe(200)
  })

  test('opens no account that is closed', async () => {
    const admin = await createPerson(0)
    const { username } = await createPerson(2, { emailConfirmed: false })
    const json = { emailConfirmed: true, active: false }
    const changed = await admin.patch(`/user/${username}`, json)
    expect(changed.data).toMatchObject({ emailConfirmed: true, active: false })
    const links = await allRows`select 1 from account_links l join users u on u.id = l.user_id
        where u.username = ${username}`
    expect(links).toEqual([])
  })

  test('and changes only the address leaves it a claim, or counting, as it was', async () => {
    const admin = await createPerson(0)
    const [claim, known] = [await createPerson(2, { emailConfirmed: false }), await createPerson(2)]
    for (const [person, counts] of [
      [claim, false],
      [known, true],
    ] as const) {
      const json = { email: `${person.username}@new.example.test` }
      const { data } = await admin.patch(`/user/${person.username}`, json)
      expect(data).toMatchObject({ ...json, emailConfirmed: counts })
      expect((await person.get('/auth/me')).status).toBe(200)
    }
  })
})

describe('changing one’s own address', () => {
  const move = (as: Person | undefined, json: object) =>
    call('POST', '/auth/email/move', { as, json })

  async function linkTo(as: Person, email: string): Promise<string> {
    expect((await as.post('/auth/email', { email })).status).toBe(200)
    return tokenIn(await lastMailTo(email), 'move')
  }

  test('takes the mail to the new one and the owner’s own session; the old one is told', async () => {
    const [owner, stranger] = await createPeople(2, 2)
    const email = `${uniqueName('moved')}@example.test`
    const token = await linkTo(owner, email)
    const me = () => owner.get('/auth/me')
    expect((await me()).data.email).toBe(`${owner.username}@example.test`)
    // Nothing changes for a person who only reads the new address, or who was tricked into the link.
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
    const [owner, other] = await createPeople(2, 2)
    const taken = { email: `${other.username}@example.test` }
    expect((await owner.post('/auth/email', taken)).code).toBe('email_exists')
    const email = `${uniqueName('raced')}@example.test`
    const token = await linkTo(owner, email)
    const admin = await createPerson(0)
    await admin.patch(`/user/${other.username}`, { email })
    expect((await move(owner, { token })).code).toBe('email_exists')
    expect((await owner.get('/auth/me')).data.email).not.toBe(email)
  })

  test('from an unconfirmed one needs a new password, for the maker knows the old', async () => {
    const claim = await makeClaim(mine, professor)
    const { person } = await enter(claim, MAKERS_WORDS)
    const email = `${uniqueName('right')}@example.test`
    const token = await linkTo(person, email)
    expect((await move(person, { token })).data).toMatchObject([
      { path: ['newPassword'], code: 'required' },
    ])
    expect((await move(person, { token, newPassword: OWNERS_WORDS })).status).toBe(200)
    expect((await person.get('/auth/me')).status).toBe(401)
    expect((await enter(claim, MAKERS_WORDS)).status).toBe(403)
    expect((await enter(email, OWNERS_WORDS)).status).toBe(200)
  })

  test('to one’s own, confirmed one is no change', async () => {
    const owner = await createPerson(2)
    const json = { email: `${owner.username}@EXAMPLE.test` }
    expect((await owner.post('/auth/email', json)).code).toBe('email_confirmed')
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
  // The rule does not apply to somebody who is already a member.
  expect((await upload(teacher, csv(professor), { course })).data).toMatchObject({ unchanged: 1 })
})
