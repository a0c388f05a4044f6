/**
 * How long the local stack and the tests wait before they call something stuck, in ms. It is so long because a machine may
 * have half a core for everything; there a judge host hands a job back several times before it can judge it. A dead
 * process is noticed at once, and a working one takes far less time.
 */
export const PATIENCE_MS = 300_000

/** How long one test, or its set-up, may take. */
export const TEST_MS = 2_400_000
