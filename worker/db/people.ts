/** People as others see them, in SQL and out of it. */
import type { UserInfo } from '#contract/fields'

/** The columns of a `UserInfo`; takes `users` or an alias of it, so that one query may join several people. */
export function userInfoColumns<T extends Record<keyof UserInfo, unknown>>(
  table: T,
): Pick<T, keyof UserInfo> {
  return { username: table.username, displayedName: table.displayedName, role: table.role }
}

/** For a person whose account is gone. */
export function toUserInfo(row: UserInfo | null): UserInfo {
  return row ?? { username: '', displayedName: '', role: 2 }
}
