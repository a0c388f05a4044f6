/** /storage: whether the sweeper may delete in the bucket, and an admin's confirmation that it may. */
import type { StorageStatus } from '#contract/installation/storage'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { changeOf } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { readDatabaseSize } from './database-size.ts'
import { adoptBucket, confirmDeletions, getInstallation } from './installation.ts'

async function readState(db: Db): Promise<Omit<StorageStatus, 'database'>> {
  const known = await getInstallation(db)
  const state = known?.state ?? 'unchecked'
  return { state, held: state === 'held' ? (known?.held ?? null) : null }
}

export const storage = [
  route('GET /storage', async (c) => {
    const { db } = c.var
    const database = await readDatabaseSize(db, nowSeconds())
    return { ...(await readState(db)), database }
  }),
  route('POST /storage/confirm', async (c, { body: { state } }) => {
    const { db } = c.var
    const status = await readState(db)
    if (status.state !== state) throw new AppError('storage_changed')
    const change = changeOf(c)
    const entry = { action: 'storage.confirm', subject: state, detail: { ...status.held } }
    const audit = insertAudit(db, change, entry)
    if (state === 'held') await confirmDeletions(db, change.now, [audit])
    else await adoptBucket(c.env, db, [audit])
  }),
]
