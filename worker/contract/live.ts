/** Live hints, which the server pushes to the open pages of a person over `GET /live`, a WebSocket (RFC 6455). */
import * as z from 'zod'
import { hexId } from '#contract/fields'
import { judgingProgress, type JudgingProgress } from '#contract/submissions'

/**
 * A live hint says what has changed; the new state is the answer of the GET in question. It may be lost or come twice.
 * `submission`: one of the person's has changed; `progress`: how far its judging is, null: read it again. `run`: a sample run
 * has ended. `announcement`: a new one in a course of the person. `question`: a question has a new message; `isAnswer`: for its
 * student, else for staff. `homework`: dates, rules or points of a homework have changed for the person. `notice`: another new notice. Pages ignore kinds that they do not know.
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
  z.object({ kind: z.literal('homework'), homeworkId: hexId }),
  z.object({ kind: z.literal('notice') }),
])
export type LiveHint = z.infer<typeof liveHint>

/** The hint that a submission has changed. @param progress null: it has to be read again */
export function submissionHint(submissionId: string, progress: JudgingProgress | null): LiveHint {
  return { kind: 'submission', submissionId, progress }
}

/** A page sends `ping` now and then and gets `pong`, so it notices a dead connection. Any other message from a page ends the socket. */
export const LIVE_PING = 'ping'
export const LIVE_PONG = 'pong'

/**
 * Over `GET /runner/live`, a WebSocket, a judge host says `waits` while it waits for a job, else `busy`. The server answers `waits`
 * with one `job` when a claim may find a job. `busy` after `job` asks the server to tell another host.
 */
export const HOST_WAITS = 'waits'
export const HOST_BUSY = 'busy'
export const HOST_JOB = 'job'

/** Why the server ends a socket (RFC 6455, section 7.4.2: 4000–4999 are an application's own). */
export const LIVE_CLOSE = {
  /** The session has ended. */
  signedOut: 4401,
  /** The person has opened too many newer sockets. */
  replaced: 4409,
  /** The socket has been open too long. A new connection checks the session again. */
  renew: 4408,
  /** The page sent an unexpected message. */
  unexpected: 4400,
} as const
