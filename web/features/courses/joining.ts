/** Codes and invitations as the members page shows them. */
import { joinCodeText, type JoinCode, type Joining } from '#contract/joining'
import { email } from '#contract/fields'
import { paths } from '../../paths.ts'
import type { Member } from './members.ts'

/** The link of a code. The code stands behind `#`, so that no server's log has it. */
export function joinLink(origin: string, code: string): string {
  return `${origin}${paths.join()}#${joinCodeText(code)}`
}

/** Whether people can join by a code now, or why they cannot. */
export function codeState(
  { closedAt, until, most, joined }: JoinCode,
  now: number,
): 'open' | 'expired' | 'full' | 'closed' {
  if (closedAt !== null) return 'closed'
  if (until !== null && until < now) return 'expired'
  return most !== null && joined >= most ? 'full' : 'open'
}

/** What has become of an invitation. */
export function invitationState(
  code: JoinCode,
  now: number,
): 'invited' | 'joined' | 'expired' | 'withdrawn' {
  if (code.joined > 0) return 'joined'
  const state = codeState(code, now)
  if (state === 'closed') return 'withdrawn'
  return state === 'expired' ? 'expired' : 'invited'
}

/** The codes for students, newest first. */
export function studentCodes({ codes }: Joining): (JoinCode & { code: string })[] {
  return codes.flatMap((each) => (each.code === null ? [] : { ...each, code: each.code }))
}

/** The newest invitation of each address. */
export function invitationsOf({ codes }: Joining): (JoinCode & { email: string })[] {
  const newest = new Map<string, JoinCode & { email: string }>()
  for (const each of codes)
    if (each.email !== null && !newest.has(each.email))
      newest.set(each.email, { ...each, email: each.email })
  return [...newest.values()]
}

/** The ways into a course that are not a code's id. */
export const WAYS = { staff: 'staff', invitation: 'invitation' } as const

/** Returns a function that gives the way of a member from the code of their membership. */
function wayReader({ codes }: Joining): (codeId: number | null) => string {
  const invited = new Set(codes.filter(({ code }) => code === null).map(({ id }) => id))
  return (codeId) => {
    if (codeId === null) return WAYS.staff
    return invited.has(codeId) ? WAYS.invitation : String(codeId)
  }
}

/** The ways by which present members came; the codes newest first, then the other ways. */
export function waysOf(joining: Joining | undefined): string[] {
  if (joining === undefined) return []
  const wayOf = wayReader(joining)
  const used = new Set([...joining.came.values()].map(({ codeId }) => wayOf(codeId)))
  const codes = studentCodes(joining).map(({ id }) => String(id))
  return [...codes, WAYS.invitation, WAYS.staff].filter((way) => used.has(way))
}

/** The members with when and how they came. */
export function withWays(members: Member[], joining: Joining): Member[] {
  const wayOf = wayReader(joining)
  return members.map((member) => {
    const came = joining.came.get(member.username)
    return came === undefined ? member : { ...member, joinedAt: came.at, way: wayOf(came.codeId) }
  })
}

/** E-mail addresses as people type or paste them: `Ann Lee <ann@example.org>; bob@example.org`. `bad`: the parts that are none. */
export function addressesIn(text: string): { good: string[]; bad: string[] } {
  const parts = text
    .replaceAll(/(?<![^,;\n<>])[^,;\n<>]*<([^<>]*)>/g, ' $1 ')
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
  const isGood = (part: string) => email.safeParse(part).success
  return {
    good: [...new Set(parts.filter(isGood).map((part) => part.toLowerCase()))],
    bad: parts.filter((part) => !isGood(part)),
  }
}
