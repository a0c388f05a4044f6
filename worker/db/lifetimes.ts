/** How long sessions and mailed links last. */

/**
 * Sessions end after `idle` without a call and after `absolute` at the latest, those on a shared computer sooner. For
 * `confirmed` after its owner typed the password, a session may make the calls that require one. Seconds.
 */
export const SESSION_SECONDS = {
  idle: 7 * 86_400,
  absolute: 30 * 86_400,
  shared: { idle: 2 * 3_600, absolute: 12 * 3_600 },
  confirmed: 600,
} as const

/** Lifetime of mailed links in seconds. People use a link to reset a password at once; the first mail of an account may wait in their mailbox. */
export const LINK_SECONDS = {
  reset: 600,
  activate: 7 * 86_400,
  confirm: 7 * 86_400,
  move: 86_400,
} as const
