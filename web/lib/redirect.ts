/** The navigation guard's rules, and where a sign-in may lead. */

/** What people who are not signed in may open. */
const PUBLIC_PATHS = [
  /^\/$/,
  /^\/about\/?$/,
  /^\/announcements\/[0-9a-f]+\/?$/i,
  /^\/settings\/?$/,
  /^\/password_reset\/?$/,
]

/** Stands in for our own origin, so that the rule needs no browser. */
const HERE = 'https://here.invalid'

/** Whether a path is open to guests. */
export function isPublicPath(pathname: string): boolean {
  return PUBLIC_PATHS.some((pattern) => pattern.test(pathname))
}

/**
 * The path to go to after signing in, or null when there is none that is ours.
 * Nothing that a browser could read as another site or a script passes: the text must start with a
 * single slash, hold no backslash and no control character, and still be ours after URL parsing.
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

/** The address of the sign-in panel that remembers where one wanted to go. */
export function signInPath(wanted: string): string {
  return `/?${new URLSearchParams({ redirect: wanted })}`
}
