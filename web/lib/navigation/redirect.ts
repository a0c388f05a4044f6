/** Says which pages guests may open, and to which pages a sign-in may lead. */
import { PAGES, type PageRow } from '../../pages.ts'

/** The pages that guests may open; the parts that vary in their addresses are ids and guides. */
const PUBLIC_PATHS = Object.values<PageRow>(PAGES)
  .filter(([, , right]) => right === 'guest')
  .map(
    ([route]) => new RegExp(`^${route.replaceAll(/:\w+/g, '[\\w-]+').replace(/\/$/, '')}/?$`, 'i'),
  )

/** Stands for the app's own origin, so that the check works without a browser. */
const HERE = 'https://here.invalid'

/** Whether a path is open to guests. */
export function isPublicPath(pathname: string): boolean {
  return PUBLIC_PATHS.some((pattern) => pattern.test(pathname))
}

/** Whether a page works only with a confirmed e-mail address once the time for it is over. Home is public, but reads one's courses. */
export function needsConfirmedEmail(pathname: string): boolean {
  return pathname === '/' || (pathname !== '/profile' && !isPublicPath(pathname))
}

/**
 * The path to open after signing in, or null if it is not a path of the app. To exclude other sites and scripts, the
 * path must start with a single slash, contain no backslash or control character, and resolve to the app's own origin.
 * @param wanted the `redirect` query
 */
export function safeRedirect(wanted: string | null): string | null {
  if (wanted === null || !/^\/(?!\/)/.test(wanted)) return null
  if (wanted.includes('\\') || /\p{Cc}/u.test(wanted)) return null
  if (!URL.canParse(wanted, HERE)) return null
  const url = new URL(wanted, HERE)
  if (url.origin !== HERE || url.pathname.startsWith('//')) return null
  return `${url.pathname}${url.search}${url.hash}`
}

/** The address of the sign-in panel that leads on to the wanted page. */
export function signInPath(wanted: string): string {
  return `/?${new URLSearchParams({ redirect: wanted })}`
}
