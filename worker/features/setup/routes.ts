/** /setup: what the installation still needs, and trials of mail and hashing. For admins. */
import { checkSchema } from '../../db/applied-migrations.ts'
import { noteMails, noteTestMail, noteTime } from '../../db/vitals.ts'
import { mailerOf } from '../../http/mail.ts'
import { hashQueued } from '../../http/new-password.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { newSecret } from '../../lib/ids.ts'
import { trialLetter } from '../../lib/mail-letters.ts'
import { mailFault } from '../../lib/mail.ts'
import { setupItemsOf } from './items.ts'
import { getSetupFacts } from './queries.ts'

/** How many passwords one request hashes to try whether the plan's CPU time suffices. They take far more than the smallest plan gives. */
const TRIAL_HASHES = 3

export const setup = [
  route('GET /setup', async (c, { query }) => {
    const { db } = c.var
    const now = nowSeconds()
    const [schema, facts] = await Promise.all([checkSchema(db), getSetupFacts(db, now)])
    return setupItemsOf(c.env, { schema, page: query.page, facts, now })
  }),
  route('POST /setup/mail', async (c) => {
    const { db, user } = c.var
    const mailer = mailerOf(c.env)
    await noteTime(db, 'mail_tried_at', nowSeconds())
    try {
      await mailer.send(trialLetter(user.email))
      await noteTestMail(db, nowSeconds())
      return { to: user.email, fault: null }
    } catch (error) {
      await noteMails(db, { givenUp: 1 }, nowSeconds())
      return { to: user.email, fault: mailFault(error) }
    }
  }),
  route('POST /setup/hashing', async (c) => {
    const { db, user } = c.var
    await noteTime(db, 'hash_tried_at', nowSeconds())
    for (let count = 0; count < TRIAL_HASHES; count += 1)
      await hashQueued(`user:${user.id}`, newSecret())
    await noteTime(db, 'hashed_at', nowSeconds())
  }),
]
