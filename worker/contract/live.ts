/** Hints that the server pushes to the open pages of a person over `GET /live`, a WebSocket (RFC 6455). */
import * as z from 'zod'
import { hexId } from '#contract/fields'
import { judgingProgress, type JudgingProgress } from '#contract/submissions'

/**
 * What has changed, never how it is now: that is the answer of the GET in question. A hint may be lost or come twice.
 * `submission`: of the person; `progress` of its judging, null: read it again. `run`: a sample run has ended. `announcement`: a
 * new one in a course of the person. `question`: a new message in it; `isAnswer`: to its student, else to staff. Pages pass over kinds that they do not know.
 */
export const liveHint = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('submission'),
    submissionId: hexId,
    progress: judgingProgress.nullable(),
  }),
  z.object({ kind: z.literal('run'), runId: hexId }),
  z.object({ kind: z.literal('announcement'), course: z.string(), annId: hexId }),
  z.object({
    kind: z.literal('question'),
    questionId: hexId,
    isAnswer: z.boolean().default(false),
  }),
])
export type LiveHint = z.infer<typeof liveHint>

/** The hint that a submission has changed. @param progress null: it has to be read again */
export function submissionHint(submissionId: string, progress: JudgingProgress | null): LiveHint {
  return { kind: 'submission', submissionId, progress }
}

/** What a page sends now and then, and what comes back: so it notices a connection that is dead. All else ends the socket. */
export const LIVE_PING = 'ping'
export const LIVE_PONG = 'pong'

/**
 * Over `GET /runner/live`, a WebSocket, a judge host says that it waits for a job, or that it does not. To `waits` comes `job`, once,
 * when there may be one: the claim says whether there is. `busy` after that means that the server is to tell another.
 */
export const HOST_WAITS = 'waits'
export const HOST_BUSY = 'busy'
export const HOST_JOB = 'job'

/** Why the server ends a socket (RFC 6455, section 7.4.2: 4000–4999 are an application's own). */
export const LIVE_CLOSE = {
  /** The session has ended. */
  signedOut: 4401,
  /** The person has opened too many others since. */
  replaced: 4409,
  /** It is old: connect again, which asks for the session again. */
  renew: 4408,
  /** It sent something. */
  unexpected: 4400,
} as const
