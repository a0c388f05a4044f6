/** The current time, and waits with a time limit. */

/** The current time in epoch seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** The result of a promise, or null if it takes longer than `withinMs`. */
export async function inTime<T>(asked: Promise<T>, withinMs: number): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), withinMs)
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}
