/** Waits for a promise, but not longer than `mostMs`. */
export async function within(mostMs: number, promise: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, mostMs)
  await Promise.race([promise, late])
  clearTimeout(timer)
}
