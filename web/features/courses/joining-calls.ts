/** Calls about the codes by which people join a course. */
import type * as z from 'zod'
import {
  joinCode,
  joining,
  type joinAnswers,
  type JoinCodeEdit,
  type newJoinCode,
} from '#contract/joining'
import { apiQuery } from '../../lib/api/api-query.ts'
import { call } from '../../lib/api/call.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { courseQuery } from '../../lib/queries/course.ts'

/** GET /course/{name}/joining. Whatever reads the course again also reads this again. */
export function joiningQuery(name: string) {
  return apiQuery([...courseQuery(name).queryKey, 'joining'], 'GET /course/:name/joining', {
    params: { name },
    as: joining,
  })
}

/** Reads codes and members again. */
export function refreshJoining(name: string): Promise<void> {
  return refresh(courseQuery(name).queryKey)
}

/** POST /course/{name}/join-codes. */
export function makeCode(name: string, body: z.input<typeof newJoinCode>) {
  return call('POST /course/:name/join-codes', { params: { name }, body, as: joinCode })
}

/** PATCH /course/{name}/join-codes/{codeId}. */
export function changeCode(name: string, codeId: number, body: JoinCodeEdit) {
  const params = { name, codeId }
  return call('PATCH /course/:name/join-codes/:codeId', { params, body, as: joinCode })
}

/** POST /course/{name}/invitations. */
export function invite(name: string, emails: string[]) {
  return call('POST /course/:name/invitations', { params: { name }, body: { emails } })
}

/** PATCH /course/{name}/join-requests. */
export function answerRequests(name: string, body: z.input<typeof joinAnswers>) {
  return call('PATCH /course/:name/join-requests', { params: { name }, body })
}
