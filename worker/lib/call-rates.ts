/** The rates of calls that the platform counts; their limits are in `wrangler.toml`. */
import type { RateClass } from '#contract/calls/call'

/** The binding of each rate, and its window in seconds, which the platform does not tell. */
export const RATES = {
  guest: { binding: 'RATE_GUEST', windowSeconds: 60 },
  read: { binding: 'RATE_READ', windowSeconds: 60 },
  heavyRead: { binding: 'RATE_HEAVY_READ', windowSeconds: 10 },
  scoreboard: { binding: 'RATE_SCOREBOARD', windowSeconds: 10 },
  write: { binding: 'RATE_WRITE', windowSeconds: 10 },
  bulkWrite: { binding: 'RATE_BULK_WRITE', windowSeconds: 60 },
  host: { binding: 'RATE_HOST', windowSeconds: 10 },
} as const satisfies Record<RateClass, { binding: string; windowSeconds: 10 | 60 }>

/** The name of a rate's binding. */
export type RateBinding = (typeof RATES)[RateClass]['binding']
