/** Rate limits of signing in and of calls about accounts. */

/**
 * Failed or unfinished attempts to sign in: `burst` at once, then one per interval. A success gives its token back. The 300 people
 * of an exam may share one address, and each may mistype once. `Site`: an IPv4 address, or an IPv6 /48, the most that one customer
 * holds. `Name`: a username or an e-mail address, known or unknown.
 */
export const LOGIN_LIMITS = {
  perNameAndSite: { burst: 10, intervalMs: 60_000 },
  /** From all unknown browsers together. A single site cannot use up this limit. */
  perName: { burst: 20, intervalMs: 60_000 },
  /** From one known browser, whatever other browsers do. */
  perDevice: { burst: 10, intervalMs: 60_000 },
  /** From one IPv4 address or one IPv6 /64, on all accounts. */
  perAddress: { burst: 400, intervalMs: 1_500 },
  /** From one /48, e.g. a campus. */
  perSite: { burst: 1_600, intervalMs: 375 },
} as const

/**
 * Calls about accounts: `burst` at once, then one per interval. Limits per address are wide, because a class may share one address.
 * Limits per site (an IPv6 /48, e.g. a campus) are four times as wide.
 */
export const ACCOUNT_LIMITS = {
  recoveryPerAddress: { burst: 60, intervalMs: 60_000 },
  recoveryPerSite: { burst: 240, intervalMs: 15_000 },
  /**
   * Recovery mails to one address. A request before the interval is over gets the same answer but no mail. The mailed link still
   * works for three minutes or more, so that requests cannot lock the owner out.
   */
  recoveryMail: { burst: 1, intervalMs: 420_000 },
  /** Mails that confirm an address or a move to it: per asking person, and per address. */
  confirmPerUser: { burst: 3, intervalMs: 600_000 },
  confirmPerTarget: { burst: 5, intervalMs: 3_600_000 },
  /** Accounts made by joining a course: a lecture hall of 300 may share one address, and each may need three tries. */
  joinPerAddress: { burst: 900, intervalMs: 10_000 },
  joinPerSite: { burst: 3_600, intervalMs: 2_500 },
  /** First mails to one address that people type when they make such accounts. */
  joinMail: { burst: 5, intervalMs: 3_600_000 },
  checkPerAddress: { burst: 60, intervalMs: 1_000 },
  checkPerSite: { burst: 240, intervalMs: 250 },
  changePasswordPerUser: { burst: 10, intervalMs: 60_000 },
  /** Audit entries about refused sign-ins, per site. Each account also keeps its own record of refused sign-ins for a while. */
  refusedSignInsPerSite: { burst: 60, intervalMs: 60_000 },
} as const
