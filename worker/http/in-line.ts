/** Calls of one caller that wait for each other. */
import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'
import { limitConcurrency } from '../lib/concurrency.ts'
import { mayBeLarge } from './body.ts'
import { orComeAgain } from './rate-limit.ts'

/**
 * Does what a call asks for once few enough calls of its caller are before it. It counts while its body comes. One whose body may be
 * large waits for the others like it first, and takes no place from small ones meanwhile.
 * @throws AppError `too_many_requests`
 */
export async function inLine<E extends AppEnv>(
  c: Context<E>,
  caller: string,
  work: () => Promise<void>,
): Promise<void> {
  const inPlace = (largeCountsFor?: (ms: number) => void) =>
    limitConcurrency(caller, (countsFor) => {
      c.set('countsFor', (ms: number) => {
        countsFor(ms)
        largeCountsFor?.(ms)
      })
      return work()
    })
  await orComeAgain(() =>
    mayBeLarge(c) ? limitConcurrency(`large:${caller}`, inPlace, 1) : inPlace(),
  )
}
