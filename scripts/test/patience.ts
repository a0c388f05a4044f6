/**
 * How long the local stack and the tests wait before they call something stuck, in ms. No figure to be met: a machine may
 * have half a core for all of it, on which a judge host hands a program back several times before it can judge it. What has
 * died is noticed at once, and whatever works at all is done long before.
 */
export const PATIENCE_MS = 300_000

/** How long one test, or what is set up for it, may take. */
export const TEST_MS = 2_400_000
