/** /setup: what the installation still needs, and the trials that find out. For admins. */
import { Hono } from 'hono'
import { setupParams, type MailTrial } from '#contract/installation/setup'
import { checkSchema } from '../../db/applied-migrations.ts'
import { noteMails, noteTestMail, noteTime } from '../../db/vitals.ts'
import { inInstallation } from '../../http/installation-guard.ts'
import { mailerOf } from '../../http/mail.ts'
import { hashQueued } from '../../http/new-password.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { query } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { newSecret } from '../../lib/ids.ts'
import { trialLetter } from '../../lib/mail-letters.ts'
import { mailFault } from '../../lib/mail.ts'
import { setupItemsOf } from './items.ts'
import { getSetupFacts } from './queries.ts'

/** Hashed in one request to try whether the plan's CPU time suffices: far more than the smallest plan gives. */
const TRIAL_HASHES = 3

const admins = inInstallation('installation.setUp')

export const setup = new Hono<UserEnv>()
  .get('/setup', requireUser, admins, query(setupParams), async (c) => {
    const { db } = c.var
    const now = nowSeconds()
    const [schema, facts] = await Promise.all([checkSchema(db), getSetupFacts(db, now)])
    const { page } = c.req.valid('query')
    return ok(c, setupItemsOf(c.env, { schema, page, facts, now }))
  })
  .post('/setup/mail', requireUser, admins, async (c) => {
    const { db, user } = c.var
    const mailer = mailerOf(c.env)
    await noteTime(db, 'mail_tried_at', nowSeconds())
    let fault: string | null = null
    try {
      await mailer.send(trialLetter(user.email))
      await noteTestMail(db, nowSeconds())
    } catch (error) {
      fault = mailFault(error)
      await noteMails(db, { givenUp: 1 }, nowSeconds())
    }
    return ok(c, { to: user.email, fault } satisfies MailTrial)
  })
  .post('/setup/hashing', requireUser, admins, async (c) => {
    const { db, user } = c.var
    await noteTime(db, 'hash_tried_at', nowSeconds())
    for (let count = 0; count < TRIAL_HASHES; count += 1)
      await hashQueued(`user:${user.id}`, newSecret())
    await noteTime(db, 'hashed_at', nowSeconds())
    return ok(c, null)
  })
