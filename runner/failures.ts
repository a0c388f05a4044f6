/** Why a job was not brought to an end, and what that says of this machine. Pure. */
import { describeError } from './lib/log.ts'
import { SandboxError } from './sandbox/errors.ts'
import { RefusedError, UnreachableError } from './server/errors.ts'

/** Characters of a reason that the server takes. */
const REASON_LENGTH = 2_000

/** A result that cannot be: a fault of this runner's that shows with this job. */
export class ImpossibleResultError extends Error {
  override name = 'ImpossibleResultError'
}

/**
 * Whose trouble kept a job from being judged: this machine's (its sandbox, disk or network), which another host need not
 * have, or that of this job, whose attempts must come to an end.
 */
export function faultOf(error: unknown): 'host' | 'job' {
  const isOurs =
    error instanceof SandboxError ||
    error instanceof UnreachableError ||
    (error instanceof Error && 'syscall' in error)
  return isOurs ? 'host' : 'job'
}

/** Whether the slot is as good as before: the server did not give us what we need, or the job had run to its end. */
export function leavesSlotWhole(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    error instanceof RefusedError ||
    error instanceof ImpossibleResultError
  )
}

/** What staff are told. */
export function reasonOf(error: unknown): string {
  return describeError(error).slice(0, REASON_LENGTH)
}
