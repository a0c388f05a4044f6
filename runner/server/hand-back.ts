import type { Job, JobRelease } from '#contract/judging'
import { describeError, type Log } from '../lib/log.ts'
import type { ServerClient } from './client.ts'

/** How a job goes back that makes room for another job, or whose runner ends: this uses up no attempt. */
export const MADE_ROOM = { drained: true, fault: 'host' } as const

/** How a job goes back that had no slot yet: the first time this neither uses up an attempt nor makes the host wait. */
export const NOT_BEGUN = { ...MADE_ROOM, began: false } as const

/** Hands a job back, with the reason. Does not throw: if the call fails, the lease runs out later. */
export async function handBack(
  { server, log }: { server: Pick<ServerClient, 'release'>; log: Log },
  { judgementId, lease }: Pick<Job, 'judgementId' | 'lease'>,
  why: Required<Pick<JobRelease, 'drained' | 'fault'>> & Pick<JobRelease, 'began'>,
  reason: string,
): Promise<void> {
  log('handed_back', { judgementId, ...why, reason })
  try {
    await server.release(judgementId, { lease, ...why, reason })
  } catch (error) {
    log('release_failed', { judgementId, error: describeError(error) })
  }
}
