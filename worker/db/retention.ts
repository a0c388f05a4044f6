/** How long things are kept. */

/** Retention, and how much one run of the sweeper (each minute) deletes at most. */
export const SWEEP = {
  /** How many objects of each kind in R2 a run checks for rows that name them. */
  objects: 500,
  /** Pause between the end of a walk through a kind of object and the next one. Seconds. */
  restSeconds: 3_600,
  /** Objects younger than this are left alone, because a call may not have stored their row yet. Seconds. */
  orphanSeconds: 3_600,
  /** Time between marking and deleting, of orphans and of courses that cannot be restored. Seconds. */
  markedSeconds: 7 * 86_400,
  /** Share of orphans in a page above which an admin has to confirm; a single object never needs it. */
  orphanShare: 0.1,
  /** How long an admin's confirmation holds. Seconds. */
  confirmedSeconds: 86_400,
  /** Submissions of purged courses. */
  purgedSubmissions: 100,
  /** Questions of purged courses, and old requests, with their messages. */
  purgedQuestions: 50,
  /** Rows of other tables. */
  rows: 500,
  /** Buckets of rate limits that are looked at. */
  buckets: 5_000,
  /** Days that a finished operation is kept. */
  operationDays: 30,
  /** Versions of test data that one call considers for hashing. */
  hashCandidates: 50,
} as const

/**
 * IP addresses of submissions, audit entries and sign-ins are removed after `addressDays` days: long enough to look into an exam,
 * short enough not to become a collection.
 */
export const PRIVACY = { addressDays: 90 } as const
