/** Joining a course: codes and links, where one goes on, and what the page says to whom. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { joinAccount, type JoinOffer } from '#contract/joining'
import { offerQuery } from '../../web/features/join/api.ts'
import { JoinPage } from '../../web/features/join/join-page.tsx'
import * as rules from '../../web/features/join/join-rules.ts'
import { CoursesPage } from '../../web/features/courses/list-page.tsx'
import { MembersPage } from '../../web/features/courses/members-page.tsx'
import { OwnEmail } from '../../web/features/profile/own-email.tsx'
import { ConfirmEmail } from '../../web/layout/confirm-email.tsx'
import { ApiError } from '../../web/lib/api/api-error.ts'
import { needsConfirmedEmail } from '../../web/lib/navigation/redirect.ts'
import { formatDeadline } from '../../web/lib/format/format.ts'
import { coursesQuery } from '../../web/lib/queries/courses.ts'
import { ANN, controlsOf, person, render, textOf } from './fixtures/rendered.tsx'

const CODE = 'ABCDEFGHJKMN'

describe('a code', () => {
  it.each([
    ['abcd-efgh-jkmn', CODE],
    [' ABCD EFGH JKMN ', CODE],
    ['ＡＢＣＤ－ＥＦＧＨ–ｊｋｍｎ。', CODE],
    [`https://judge.example/join#ABCD-EFGH-JKMN`, CODE],
    [`https://judge.example/join?redirect=%2Fcourse%2FA%23x#${CODE} `, CODE],
  ])('is read in %j', (typed, code) => {
    expect(rules.codeIn(typed)).toBe(code)
  })

  it('is what an address has behind #, unless it names a part of the page', () => {
    expect(rules.codeOfHash('#ABCD-EFGH-JKMN')).toBe(CODE)
    expect(rules.codeOfHash(`#${CODE}${CODE}`)).toBe(CODE + CODE)
    expect(['', '#', '#main', `#${CODE}A`].map(rules.codeOfHash)).toEqual([null, null, null, null])
    expect(rules.withCode('?redirect=%2Fx', CODE)).toBe('/join?redirect=%2Fx#ABCD-EFGH-JKMN')
  })
})

describe('after joining', () => {
  it.each([
    [null, '/course/A%20B/homeworks'],
    ['/course/A%20B/problem/7?tab=a#top', '/course/A%20B/problem/7?tab=a#top'],
    ['/course/A%20BC/problem/7', '/course/A%20B/homeworks'],
    ['/course/Other/problem/7', '/course/A%20B/homeworks'],
    ['/course/A%20B/../Other/homeworks', '/course/A%20B/homeworks'],
    ['https://evil.example/course/A%20B/x', '/course/A%20B/homeworks'],
  ])('who wanted %j opens %j', (wanted, path) => {
    expect(rules.pathAfterJoining('A B', wanted)).toBe(path)
  })
})

describe('a refusal', () => {
  const refusal = (code: string) => new ApiError({ status: 409, code, message: code })

  it.each([
    ['join_code_not_found', 'code'],
    ['join_code_expired', 'code'],
    ['join_code_full', 'code'],
    ['join_domain', 'profile'],
    ['join_refused', 'courses'],
    ['already_member', 'course'],
    ['course_closed', 'courses'],
    ['email_unconfirmed', 'profile'],
    ['confirm_email_first', 'profile'],
    ['network', null],
  ])('%s has one way on: %s', (code, way) => {
    expect(rules.wayOnFrom(refusal(code))).toBe(way)
  })

  it('of a new account stands at its field', () => {
    const fields = ['username_exists', 'email_exists', 'join_domain', 'join_code_full']
    expect(fields.map((code) => rules.fieldOfRefusal(refusal(code)))).toEqual([
      'username',
      'email',
      'email',
      null,
    ])
    expect(rules.fieldOfRefusal(new Error('fault'))).toBeNull()
  })
})

it('a new account is what was typed, without an empty name', () => {
  const values = {
    username: 'ann',
    email: 'ann@x.test',
    newPassword: 'long enough words',
    repeat: 'long enough words',
    displayedName: ' ',
    sharedComputer: true,
  }
  const body = rules.toAccount(CODE, values)
  expect(joinAccount.strict().parse(body)).toEqual({
    code: CODE,
    username: 'ann',
    email: 'ann@x.test',
    password: 'long enough words',
    sharedComputer: true,
  })
  expect(rules.toAccount(CODE, { ...values, displayedName: 'Ann' })).toMatchObject({
    displayedName: 'Ann',
  })
})

describe('the page', () => {
  const OFFER: JoinOffer = {
    course: 'A B',
    teacher: person('tina', 'Tina Teach'),
    role: 'student',
    email: null,
    domains: [],
    approval: false,
    until: null,
    newAccounts: true,
    fault: null,
  }
  const page = (
    offer: Partial<JoinOffer> = {},
    user: object | null = null,
    courses: object[] = [],
  ) =>
    render(<JoinPage />, {
      route: '/join',
      at: `/join?redirect=%2Fcourse%2FA%2520B%2Fproblem%2F7#${CODE}`,
      user,
      reads: [
        [offerQuery(CODE), { ...OFFER, ...offer }],
        [coursesQuery, courses],
      ],
    })

  beforeAll(() => {
    // The forms warn of addresses where a browser keeps no session.
    vi.stubGlobal('window', { isSecureContext: true })
    return () => vi.unstubAllGlobals()
  })

  it('asks for a code where the address has none', () => {
    const markup = render(<JoinPage />, { route: '/join', user: null })
    expect(Object.keys(controlsOf(markup))).toEqual(['Show the course'])
    expect(markup).toContain('autoCapitalize="characters"')
  })

  it('says to a guest what joining means, and offers a new account', () => {
    const markup = page({ approval: true, domains: ['x.org', 'y.org'], until: 86_400 })
    expect(textOf(markup)).toContain('Tina Teach teaches this course. You join it as a student.')
    expect(textOf(markup)).toContain('The teacher lets each person in.')
    expect(textOf(markup)).toContain('at one of these domains may join: x.org, y.org.')
    expect(textOf(markup)).toContain(`The code works until ${formatDeadline(86_400)}`)
    expect(Object.keys(controlsOf(markup))).toEqual(
      expect.arrayContaining(['Create account and join', 'I have an account']),
    )
    for (const autocomplete of ['username', 'email', 'new-password'])
      expect(markup).toContain(`autoComplete="${autocomplete}"`)
  })

  it('fills in the address of an invitation, and lets only members sign in without new accounts', () => {
    const invitation = page({ role: 'ta', email: 'tom@x.test' })
    expect(textOf(invitation)).toContain('invites you to become a teaching assistant')
    expect(invitation).toContain('value="tom@x.test"')
    expect(textOf(invitation)).not.toContain('We mail you a link')
    expect(Object.keys(controlsOf(page({ newAccounts: false }))).at(-1)).toBe('Sign in')
  })

  it('lets somebody who is signed in join with one press, or as somebody else', () => {
    expect(Object.keys(controlsOf(page({}, {})))).toEqual([
      'Join as Ann Lee',
      'Use another account',
    ])
    expect(Object.keys(controlsOf(page({ approval: true }, {})))[0]).toBe('Ask to join as Ann Lee')
  })

  it('leads members to what they wanted, and others past a code that has ended', () => {
    const mine = { course: 'A B', teacher: OFFER.teacher, role: 'student', waitingQuestions: 0 }
    const member = page({ fault: 'join_code_full' }, {}, [mine])
    expect(textOf(member)).toContain('You are already in this course.')
    expect(controlsOf(member)).toEqual({ 'Go to the course': '/course/A%20B/problem/7' })
    expect(Object.keys(controlsOf(page({ fault: 'join_code_expired' })))).toEqual([
      'Enter another code',
    ])
    // An admin reads all courses as their teachers do, and is a member of none of them.
    const admin = page({}, { role: 0 }, [{ ...mine, role: 'teacher' }])
    expect(Object.keys(controlsOf(admin))).toContain('Join as Ann Lee')
  })
})

describe('an address that waits for its confirmation', () => {
  const soon = Math.floor(Date.now() / 1_000) + 86_400
  const unconfirmed = (confirmBy: number) => ({ ...ANN, emailConfirmed: false, confirmBy })
  const shown = (route: string, confirmBy: number) =>
    textOf(
      render(<ConfirmEmail isFirst={confirmBy === 1} />, { route, user: unconfirmed(confirmBy) }),
    )

  it('is asked for on the pages of a course and in the profile', () => {
    const text = `Confirm your email address by ${formatDeadline(soon)}. Open the link that we mailed to ann@example.org.`
    expect(shown('/course/A', soon)).toBe(`${text} Send it again or change the address`)
    expect(shown('/courses', soon)).toBe('')
    const user = unconfirmed(soon)
    expect(textOf(render(<OwnEmail user={user} />, { user }))).toContain(text)
  })

  it('is asked for in place of other pages once the time is over', () => {
    const text = 'Your account waits until you confirm your email address.'
    expect(shown('/courses', 1)).toContain(text)
    const needs = ['/', '/courses', '/course/A'].map(needsConfirmedEmail)
    const works = ['/profile', '/password_reset', '/about', '/join'].map(needsConfirmedEmail)
    expect([...needs, ...works]).toEqual([true, true, true, false, false, false, false])
  })
})

describe('leaving a course', () => {
  const offers = (course: object) =>
    Object.keys(controlsOf(render(<MembersPage />, { course }))).includes('Leave this course')

  it('is offered to students and assistants, also of a closed course', () => {
    expect(offers({})).toBe(true)
    expect(offers({ closedAt: 1 })).toBe(true)
    expect(offers({ role: 'ta' })).toBe(true)
    expect(offers({ role: 'teacher' })).toBe(false)
    expect(offers({ course: 'Public' })).toBe(false)
  })

  it('is answered on the list of courses', () => {
    const markup = render(<CoursesPage />, {
      route: '/courses',
      state: { left: 'A B' },
      reads: [[coursesQuery, []]],
    })
    expect(textOf(markup)).toContain('You have left A B.')
    expect(controlsOf(markup)).toHaveProperty('I have a course code', '/join')
  })
})
