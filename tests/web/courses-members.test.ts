import { describe, expect, it } from 'vitest'
import {
  filterMembers,
  lastName,
  membersOf,
  sortMembers,
  splitNames,
} from '../../web/features/courses/members.ts'

function person(username: string, displayedName: string) {
  return { username, displayedName, role: 2 } as const
}

const members = membersOf({
  teacher: person('zoe', 'Ada'),
  TAs: [person('tim', 'Bo')],
  students: [person('s10', 'Cy'), person('s2', 'Bo')],
})

describe('members', () => {
  it.each([
    ['role', false, 'zoe tim s2 s10'],
    ['role', true, 's2 s10 tim zoe'],
    ['username', false, 's2 s10 tim zoe'],
    ['username', true, 'zoe tim s10 s2'],
    ['name', false, 'zoe s2 tim s10'],
  ])('by %s, descending: %s', (by, descending, wanted) => {
    const names = sortMembers(members, by, descending).map(({ username }) => username)
    expect(names.join(' ')).toBe(wanted)
  })

  it('are found by a part of an e-mail where it is known', () => {
    const found = filterMembers(
      membersOf({
        teacher: person('zoe', 'Ada'),
        TAs: [],
        students: [person('s1', 'Cy'), person('s2', 'Bo')],
        emails: new Map([['s1', 'cy.young@example.org']]),
      }),
      { text: 'YOUNG@', role: '', way: '' },
    )
    expect(found.map(({ username }) => username)).toEqual(['s1'])
  })

  it.each([
    [{ text: ' BO ', role: '', way: '' }, ['tim', 's2']],
    [{ text: 's', role: 'student', way: '' }, ['s10', 's2']],
    [{ text: '', role: 'teacher', way: '' }, ['zoe']],
    [{ text: 'nobody', role: '', way: '' }, []],
  ])('are found by %j', (filter, wanted) => {
    expect(filterMembers(members, filter).map(({ username }) => username)).toEqual(wanted)
  })

  it('are typed one after the other, however they are separated', () => {
    expect(splitNames(' ann,bo@x.org;\n cy ')).toEqual(['ann', 'bo@x.org', 'cy'])
    expect(splitNames(' \n')).toEqual([])
    expect(lastName('ann, bo')).toBe('bo')
    expect(lastName('ann ')).toBe('')
  })
})
