/** /storage: whether the sweeper may delete in the bucket, and an admin's confirmation that it may. */
import { Hono } from 'hono'
import { storageConfirmation, type StorageStatus } from '#contract/installation/storage'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { changeOf } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { inInstallation } from '../../http/installation-guard.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { jsonBody } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { readDatabaseSize } from './database-size.ts'
import { adoptBucket, confirmDeletions, getInstallation } from './installation.ts'

const admins = inInstallation('storage.manage')

async function readState(db: Db): Promise<Omit<StorageStatus, 'database'>> {
  const known = await getInstallation(db)
  const state = known?.state ?? 'unchecked'
  return { state, held: state === 'held' ? (known?.held ?? null) : null }
}

export const storage = new Hono<UserEnv>()
  .get('/storage', requireUser, admins, async (c) => {
    const { db } = c.var
    const database = await readDatabaseSize(db, nowSeconds())
    return ok(c, { ...(await readState(db)), database } satisfies StorageStatus)
  })
  .post('/storage/confirm', requireUser, admins, jsonBody(storageConfirmation), async (c) => {
    const { db } = c.var
    const { state } = c.req.valid('json')
    const status = await readState(db)
    if (status.state !== state) throw new AppError('storage_changed')
    const change = changeOf(c)
    const entry = { action: 'storage.confirm', subject: state, detail: { ...status.held } }
    const audit = insertAudit(db, change, entry)
    if (state === 'held') await confirmDeletions(db, change.now, [audit])
    else await adoptBucket(c.env, db, [audit])
    return ok(c, null)
  })
