/** Codes, invitations, and joining and leaving a course. New accounts are made by the routes of /auth. */
import type { Context } from 'hono'
import { NOTICE_KINDS } from '#contract/notices'
import type { AppEnv } from '../../env.ts'
import { changeOf } from '../../http/change.ts'
import { courseInPath, notPublic } from '../../http/course-guard.ts'
import { tellCourse } from '../../http/live.ts'
import { linkMailFaults, originForLinks } from '../../http/mail.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { insertCode, readJoining, updateCode } from './code-queries.ts'
import { inviteAssistants } from './invite.ts'
import { codeHashOf } from './join-code.ts'
import { findOpenCode, join } from './join-queries.ts'
import { answerRequests, leaveCourse, selectNamed } from './request-queries.ts'

/** Refuses domains for a code where no mail could prove an address. */
function demandMailFor<E extends AppEnv>({ env }: Context<E>, domains: string[] = []): void {
  if (domains.length > 0) originForLinks(env)
}

/** The code that a body names. */
async function openCode<E extends AppEnv>(c: Context<E>, { code }: { code: string }) {
  return findOpenCode(c.var.db, await codeHashOf(code), nowSeconds())
}

export const joining = [
  route('GET /course/:name/joining', notPublic(courseInPath), (c, { course }) =>
    readJoining(c.var.db, course),
  ),
  route('POST /course/:name/join-codes', notPublic(courseInPath), (c, { course, body }) => {
    demandMailFor(c, body.domains)
    return insertCode(c.var.db, course, body, changeOf(c))
  }),
  route(
    'PATCH /course/:name/join-codes/:codeId',
    notPublic(courseInPath),
    (c, { course, params, body }) => {
      demandMailFor(c, body.domains)
      return updateCode(c.var.db, course, params.codeId, body, changeOf(c))
    },
  ),
  route('POST /course/:name/invitations', notPublic(courseInPath), (c, { course, body }) =>
    inviteAssistants(c, course, body.emails),
  ),
  route(
    'PATCH /course/:name/join-requests',
    notPublic(courseInPath),
    async (c, { course, body }) => {
      await answerRequests(c.var.db, course, body, changeOf(c))
      const { right } = NOTICE_KINDS.let_in
      tellCourse(c, course.id, { kind: 'notice' }, right, selectNamed(body.approve))
    },
  ),
  route('POST /course/:name/leave', notPublic(courseInPath), (c, { course }) =>
    leaveCourse(c.var.db, course, changeOf(c)),
  ),
  route('POST /join/look', async (c, { body }) => {
    const { codeHash: _hash, courseId: _id, timeZone: _zone, ...offer } = await openCode(c, body)
    const newAccounts = offer.domains.length === 0 || linkMailFaults(c.env).length === 0
    return { ...offer, newAccounts }
  }),
  route('POST /join', async (c, { body }) => {
    const code = await openCode(c, body)
    const joined = await join(c.var.db, code, changeOf(c))
    if (joined.state === 'waiting')
      tellCourse(c, code.courseId, { kind: 'notice' }, NOTICE_KINDS.join_request.right)
    return joined
  }),
]
