/** What staff see of join codes, of invitations, and of how members came. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JoinCode, Joining } from '#contract/joining'
import { JoinCodeForm } from '../../web/features/courses/join-code-form.tsx'
import { JoinQr } from '../../web/features/courses/join-qr.tsx'
import { JoinSlide } from '../../web/features/courses/join-slide.tsx'
import {
  addressesIn,
  codeState,
  invitationsOf,
  invitationState,
  joinLink,
  waysOf,
  WAYS,
  withWays,
} from '../../web/features/courses/joining.ts'
import { joiningQuery } from '../../web/features/courses/joining-calls.ts'
import { MembersPage } from '../../web/features/courses/members-page.tsx'
import { filterMembers, membersOf, sortMembers } from '../../web/features/courses/members.ts'
import { courseQuery } from '../../web/lib/queries/course.ts'
import {
  controlsOf,
  COURSE,
  itemsOf,
  person,
  render,
  rowsOf,
  textOf,
  type Scene,
} from './fixtures/rendered.tsx'

const CODE: JoinCode = {
  id: 7,
  code: 'ABCDEFGHJKMN',
  role: 'student',
  email: null,
  labelId: null,
  until: null,
  most: null,
  domains: [],
  approval: false,
  joined: 0,
  createTime: 100,
  closedAt: null,
}
const OLD: JoinCode = { ...CODE, id: 5, code: 'PQRSTUVWXYZ2', joined: 1, closedAt: 200 }
const INVITATION: JoinCode = {
  ...CODE,
  id: 6,
  code: null,
  role: 'ta',
  email: 'tom@example.org',
  most: 1,
  joined: 1,
}
const JOINING: Joining = {
  codes: [CODE, INVITATION, OLD],
  waiting: [],
  came: new Map([
    ['tom', { at: 1_000, codeId: 6 }],
    ['ann', { at: 3_000, codeId: 5 }],
    ['bob', { at: 2_000, codeId: null }],
  ]),
}
const close = () => undefined

describe('the link of a code', () => {
  it('has the code behind #, in groups', () => {
    expect(joinLink('https://judge.example', 'ABCDEFGHJKMN')).toBe(
      'https://judge.example/join#ABCD-EFGH-JKMN',
    )
  })

  it('is drawn dark on white, with a quiet zone and a name', () => {
    const markup = render(<JoinQr link="https://judge.example/join#A" title="QR of A B" />)
    expect(markup).toContain('<title>QR of A B</title>')
    expect(markup).toMatch(/<rect width="(\d+)" height="\1" fill="#fff"/)
    // The first dark module is the corner of the finder pattern, behind four light ones.
    expect(markup).toContain(' d="M4 4h1v1h-1z')
  })
})

describe('the state', () => {
  it.each([
    ['open', {}],
    ['open', { until: 500, most: 2, joined: 1 }],
    ['expired', { until: 499 }],
    ['full', { most: 2, joined: 2 }],
    ['closed', { closedAt: 1, until: 499, most: 1, joined: 1 }],
  ] as const)('of a code is %s: %j', (state, change) => {
    expect(codeState({ ...CODE, ...change }, 500)).toBe(state)
  })

  it.each([
    ['joined', {}],
    ['invited', { joined: 0 }],
    ['expired', { joined: 0, until: 499 }],
    ['withdrawn', { joined: 0, closedAt: 400 }],
  ] as const)('of an invitation is %s: %j', (state, change) => {
    expect(invitationState({ ...INVITATION, ...change }, 500)).toBe(state)
  })

  it('of an address is that of its newest invitation', () => {
    const newer = { ...INVITATION, id: 9 }
    const found = invitationsOf({ ...JOINING, codes: [newer, CODE, INVITATION] })
    expect(found.map(({ id }) => id)).toEqual([9])
  })
})

describe('how members came', () => {
  const members = withWays(membersOf(COURSE), JOINING)
  const namesOf = (some: typeof members) => some.map(({ username }) => username).join(' ')

  it.each([
    ['', 'tina tom ann bob'],
    ['5', 'ann'],
    [WAYS.invitation, 'tom'],
    [WAYS.staff, 'bob'],
    ['7', ''],
  ])('filters them: %j', (way, names) => {
    expect(namesOf(filterMembers(members, { text: '', role: '', way }))).toBe(names)
  })

  it('offers only the ways that somebody took', () => {
    expect(waysOf(JOINING)).toEqual(['5', WAYS.invitation, WAYS.staff])
    expect(waysOf({ ...JOINING, came: new Map() })).toEqual([])
  })

  it('sorts them by when', () => {
    expect(namesOf(sortMembers(members, 'joined', true))).toBe('ann bob tom tina')
  })
})

describe('addresses', () => {
  it.each([
    ['ann@example.org', ['ann@example.org'], []],
    [
      'Ann@Example.org, ann@example.org;bob@example.org',
      ['ann@example.org', 'bob@example.org'],
      [],
    ],
    [
      '"Lee, Ann" <ann@example.org>; Bob <bob@example.org>\ncy@example.org',
      ['ann@example.org', 'bob@example.org', 'cy@example.org'],
      ['"Lee'],
    ],
    [
      'Ann Lee <ann@example.org>, Bob B <bob@example.org>',
      ['ann@example.org', 'bob@example.org'],
      [],
    ],
    ['ann bob@example.org', ['bob@example.org'], ['ann']],
    [' \n', [], []],
  ])('in %j', (text, good, bad) => {
    expect(addressesIn(text)).toEqual({ good, bad })
  })
})

describe('the members page', () => {
  const page = (joining: Partial<Joining> = {}, course: Scene['course'] = { role: 'teacher' }) =>
    render(<MembersPage />, {
      route: '/course/:name/members',
      at: '/course/A%20B/members',
      course,
      reads: [[joiningQuery(COURSE.course), { ...JOINING, ...joining }]],
    })

  it('reads the codes again with the course', () => {
    expect(joiningQuery('A B').queryKey.slice(0, 2)).toEqual(courseQuery('A B').queryKey)
  })

  it('lists codes and invitations with what can be done', () => {
    const markup = page({
      codes: [{ ...CODE, most: 30, joined: 2, domains: ['example.edu'] }, INVITATION, OLD],
    })
    expect(itemsOf(markup)).toEqual([
      'ABCD-EFGH-JKMN open 2 of 30 people have used it @example.edu Show Close',
      'PQRS-TUVW-XYZ2 closed 1 person has used this code Open again',
      'tom@example.org joined',
    ])
    expect(Object.keys(controlsOf(markup))).toEqual(
      expect.arrayContaining(['New code', 'Show ABCD-EFGH-JKMN', 'Close ABCD-EFGH-JKMN']),
    )
  })

  it('says what to do while there is no code', () => {
    expect(textOf(page({ codes: [] }))).toContain('No code is open. Make one')
  })

  it('says who came how', () => {
    const ways = rowsOf(page()).map((row) => /(?:By|Added) .*$/.exec(row)?.[0] ?? '')
    expect(ways.slice(2)).toEqual(['By invitation', 'By code PQRS-TUVW-XYZ2', 'Added by staff'])
  })

  it('counts the people who wait, and answers all of them unless some are chosen', () => {
    const waiting = ['cy', 'dee'].map((name) => ({
      user: person(name),
      email: `${name}@example.org`,
      codeId: 7,
      createTime: 50,
    }))
    const markup = page({ waiting })
    expect(/<h1[^]*?<\/h1>/.exec(markup)?.[0]).toContain('2 waiting')
    expect(Object.keys(controlsOf(markup))).toEqual(
      expect.arrayContaining(['Refuse 2 people', 'Let 2 people in']),
    )
    expect(textOf(page())).not.toContain('Waiting to be let in')
  })

  it.each(['ta', 'student'] as const)('shows a %s nothing of it', (role) => {
    const text = textOf(page({}, { role }))
    expect(text).not.toMatch(/Join codes|Invite|Joined|Remove|Added by staff/)
    expect(text).toContain('Ann Lee')
  })

  it('lets managers remove the chosen students', () => {
    expect(Object.keys(controlsOf(page()))).toContain('Remove 0 students')
  })
})

describe('the dialogs of codes', () => {
  beforeEach(() => {
    vi.stubGlobal('window', {
      location: { host: 'judge.example', origin: 'https://judge.example' },
    })
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('show a code with its address and how many have used it', () => {
    const slide = render(<JoinSlide course="A B" codeId={5} code="PQRSTUVWXYZ2" />, {
      reads: [[joiningQuery('A B'), JOINING]],
    })
    expect(textOf(slide)).toBe(
      'Loading A B Go to judge.example/join and type: PQRS-TUVW-XYZ2 1 person has used this code Refresh Copy the link',
    )
  })

  it('edit who may join', () => {
    const code = { ...CODE, most: 30, domains: ['a.edu', 'b.edu'], approval: true, labelId: 3 }
    const markup = render(<JoinCodeForm code={code} onDone={close} onClose={close} />, {
      course: { role: 'teacher', labels: [{ id: 3, name: 'Lab A', shown: true }] },
    })
    expect(markup).toContain('value="a.edu, b.edu"')
    expect(markup).toContain('value="30"')
    expect(markup).toMatch(/<option value="3" selected="">Lab A/)
    expect(markup).toMatch(/type="checkbox"[^>]*checked=""/)
  })
})
