/** A concurrency limit for each caller. */
import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'
import { limitConcurrency } from '../lib/concurrency.ts'
import { mayBeLarge } from './body.ts'
import { orRetryLater } from './rate-limit.ts'

/**
 * Does what a call asks for once few enough calls of its caller are before it. It counts while its body comes. One whose body may be
 * large waits for the others like it first, and takes no slot from small ones meanwhile.
 * @throws AppError `too_many_requests`
 */
export async function limitCallerConcurrency<E extends AppEnv>(
  c: Context<E>,
  caller: string,
  work: () => Promise<void>,
): Promise<void> {
  const limited = (expireLargeIn?: (ms: number) => void) =>
    limitConcurrency(caller, (expireIn) => {
      c.set('expireIn', (ms: number) => {
        expireIn(ms)
        expireLargeIn?.(ms)
      })
      return work()
    })
  await orRetryLater(() =>
    mayBeLarge(c) ? limitConcurrency(`large:${caller}`, limited, 1) : limited(),
  )
}
