/** Work that an answer does not wait for. */
import type { Context } from 'hono'
import { safeError } from '../db/safe-error.ts'
import type { AppEnv } from '../env.ts'

/** Runs work after the answer. A fault in it is logged and changes nothing for the caller. */
export function inBackground<E extends AppEnv>(
  c: Context<E>,
  what: string,
  work: Promise<unknown>,
): void {
  c.executionCtx.waitUntil(
    work.then(undefined, (error: unknown) =>
      console.error(JSON.stringify({ background: what, error: safeError(error) })),
    ),
  )
}
