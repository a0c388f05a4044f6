/** The current time in epoch seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
