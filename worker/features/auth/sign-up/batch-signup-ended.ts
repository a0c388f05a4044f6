/** Whose sessions a batch of sign-ups has ended. */
import * as z from 'zod'

/** What the statement that ends sessions returns, and no other one. */
const endedRows = z.array(z.object({ endedId: z.int() }))

/** The people whose sessions a batch has ended. @param results of the statements of `storeSignup` */
export function listEnded(results: readonly unknown[]): number[] {
  const rows = results.flatMap((result) => endedRows.safeParse(result).data ?? [])
  return [...new Set(rows.map(({ endedId }) => endedId))]
}
