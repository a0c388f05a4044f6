/** The members of a course as rows. */
import type { CourseDetail } from '#contract/courses'
import type { UserInfo } from '#contract/fields'
import type { CourseRole } from '#contract/roles'

export interface Member extends UserInfo {
  courseRole: CourseRole
  /** The e-mail address; undefined if the user may not know it. */
  email?: string | undefined
  /** When the person came; undefined if the user may not know it. */
  joinedAt?: number
  /** How the person came: one of `WAYS`, or the id of a code. */
  way?: string
}

const ROLE_ORDER: readonly CourseRole[] = ['teacher', 'ta', 'student']

/** Everyone of a course, staff first. */
export function membersOf({
  teacher,
  TAs,
  students,
  emails,
}: Pick<CourseDetail, 'teacher' | 'TAs' | 'students' | 'emails'>): Member[] {
  const withRole = (people: UserInfo[], courseRole: CourseRole) =>
    people.map((person): Member => ({ ...person, courseRole, email: emails?.get(person.username) }))
  return [
    ...withRole([teacher], 'teacher'),
    ...withRole(TAs, 'ta'),
    ...withRole(students, 'student'),
  ]
}

/** `text` must be part of the username, the displayed name or the e-mail; an empty `role` means all roles, an empty `way` all ways. */
export interface MemberFilter {
  text: string
  role: string
  way: string
}

/** The members that a filter shows. */
export function filterMembers(members: Member[], { text, role, way }: MemberFilter): Member[] {
  const wanted = text.trim().toLowerCase()
  return members.filter(
    (member) =>
      [member.username, member.displayedName, member.email ?? ''].some((text) =>
        text.toLowerCase().includes(wanted),
      ) &&
      (role === '' || member.courseRole === role) &&
      (way === '' || member.way === way),
  )
}

/** Columns that members are sorted by. */
export const SORT_KEYS = {
  username: 'username',
  name: 'name',
  role: 'role',
  joined: 'joined',
} as const

/** Sorts members; ties by username, with numbers as numbers. */
export function sortMembers(members: Member[], by: string, descending: boolean): Member[] {
  function compare(left: Member, right: Member): number {
    if (by === SORT_KEYS.role)
      return ROLE_ORDER.indexOf(left.courseRole) - ROLE_ORDER.indexOf(right.courseRole)
    if (by === SORT_KEYS.joined) return (left.joinedAt ?? 0) - (right.joinedAt ?? 0)
    return by === SORT_KEYS.name ? left.displayedName.localeCompare(right.displayedName) : 0
  }
  const direction = descending ? -1 : 1
  return members.toSorted((left, right) => {
    const byName = left.username.localeCompare(right.username, 'en', { numeric: true })
    return direction * (compare(left, right) || (by === SORT_KEYS.username ? byName : 0)) || byName
  })
}

/** The name that is being typed at the end of a text; empty after a separator. */
export function lastName(text: string): string {
  return /[^\s,;]*$/.exec(text)?.[0] ?? ''
}

/** Names and e-mails, separated by white space, commas or semicolons. */
export function splitNames(text: string): string[] {
  return text.split(/[\s,;]+/).filter((name) => name !== '')
}
