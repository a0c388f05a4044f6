import type { Job, JobRelease } from '#contract/judging'
import { describeError, type Log } from '../lib/log.ts'
import type { ServerClient } from './client.ts'

/** A job goes back for want of a slot: that uses up no attempt. */
export const MADE_ROOM = { drained: true, fault: 'host' } as const

/** Hands a job back, with the reason. Does not throw: the lease ends by itself, only time is lost. */
export async function handBack(
  { server, log }: { server: Pick<ServerClient, 'release'>; log: Log },
  { judgementId, lease }: Pick<Job, 'judgementId' | 'lease'>,
  why: Required<Pick<JobRelease, 'drained' | 'fault'>>,
  reason: string,
): Promise<void> {
  log('handed_back', { judgementId, ...why, reason })
  try {
    await server.release(judgementId, { lease, ...why, reason })
  } catch (error) {
    log('release_failed', { judgementId, error: describeError(error) })
  }
}
