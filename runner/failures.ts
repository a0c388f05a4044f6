/** Why a job got no result, and what that says about this machine. Pure. */
import { SandboxError } from './sandbox/errors.ts'
import { RefusedError, UnreachableError } from './server/errors.ts'

/** The runner computed a result that the server would refuse. */
export class ImpossibleResultError extends Error {
  override name = 'ImpossibleResultError'
}

/**
 * Whose failure kept a job from being judged: the host's (sandbox, disk, network), which others need not share, or the
 * job's, which uses up one of its attempts.
 */
export function faultOf(error: unknown): 'host' | 'job' {
  const isOurs =
    error instanceof SandboxError ||
    error instanceof UnreachableError ||
    // A proxy said no, not the server.
    (error instanceof RefusedError && !error.isFromServer) ||
    (error instanceof Error && 'syscall' in error)
  return isOurs ? 'host' : 'job'
}

/** Whether the sandbox of the slot is still good: the server failed us, or the job had run to its end. */
export function leavesSlotWhole(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    error instanceof RefusedError ||
    error instanceof ImpossibleResultError
  )
}
