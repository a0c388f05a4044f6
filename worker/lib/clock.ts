/** Time: now, and waiting for no longer than. */

/** The current time in epoch seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** What is asked for, or null where it takes longer. */
export async function inTime<T>(asked: Promise<T>, withinMs: number): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), withinMs)
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}
