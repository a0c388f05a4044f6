/** Time of day, in one place. */

/** Epoch seconds, as the contract and the database count. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
