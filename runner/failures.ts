/** Tells whether this machine or the job is to blame when a job got no result. Pure. */
import { SandboxError } from './sandbox/errors.ts'
import { RefusedError, UnreachableError } from './server/errors.ts'

/** The runner computed a result that the server would refuse. */
export class ImpossibleResultError extends Error {
  override name = 'ImpossibleResultError'
}

/**
 * Whose failure kept a job from being judged. If this host failed (sandbox, disk, network), another host may succeed;
 * if the job failed, it uses up one of its attempts.
 */
export function faultOf(error: unknown): 'host' | 'job' {
  const isOurs =
    error instanceof SandboxError ||
    error instanceof UnreachableError ||
    // A proxy refused the call, not the server.
    (error instanceof RefusedError && !error.isFromServer) ||
    (error instanceof Error && 'syscall' in error)
  return isOurs ? 'host' : 'job'
}

/** Whether the slot's sandbox can still be used, because a call to the server failed or the job had run to its end. */
export function leavesSlotWhole(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    error instanceof RefusedError ||
    error instanceof ImpossibleResultError
  )
}
