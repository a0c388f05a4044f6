/**
 * The secret of a mailed link. The secret stands after `#`, so that no server and no Referer sees it. The secret is
 * removed from the address first of all, so that no history or bookmark keeps it.
 */
import { paths } from '../../paths.ts'

const PURPOSES = ['token', 'activate', 'confirm', 'move'] as const

/**
 * `token` sets a new password, `activate` activates an account, `confirm` confirms its e-mail, `move` changes its e-mail
 * address.
 */
export interface MailedLink {
  purpose: (typeof PURPOSES)[number]
  token: string
}

/** The link in an address's hash; null: there is none. */
export function linkOfHash(hash: string): MailedLink | null {
  const values = new URLSearchParams(hash.replace(/^#/, ''))
  for (const purpose of PURPOSES) {
    const token = values.get(purpose)
    if (token !== null) return { purpose, token }
  }
  return null
}

let mailedLink: MailedLink | null = null

/** Takes the link out of the address with which the app was opened. Call it first of all. */
export function takeMailedLink(): void {
  const { pathname, search, hash } = window.location
  if (pathname.replace(/\/$/, '') !== paths.passwordReset()) return
  mailedLink = linkOfHash(hash)
  if (mailedLink !== null) window.history.replaceState(window.history.state, '', pathname + search)
}

/** The link that was taken. */
export function currentMailedLink(): MailedLink | null {
  return mailedLink
}

/** Forgets the link; called once its page is left. */
export function forgetMailedLink(): void {
  mailedLink = null
}
