/**
 * Writing calls of one person together, signing in included: `burst` at once, then one per interval. What a student hands in
 * counts against `SUBMIT_LIMITS` instead, but for the second of two steps. Staff (admins, teachers, teaching
 * assistants) send problems by script and test data in parts: 1,200 parts of 8 MiB are 9 GiB at once, four
 * a second are 32 MiB/s for ever.
 */
export const WRITE_LIMITS = {
  perStudent: { burst: 120, intervalMs: 1_000 },
  perStaff: { burst: 1_200, intervalMs: 250 },
} as const
