/** /alarms: what the operator has to come for; and the test whether it arrives. For admins. */
import { Hono } from 'hono'
import type { Alarm, AlarmTrial } from '#contract/installation/alarms'
import { alarmFaults } from '../../http/alarm-faults.ts'
import { notConfigured } from '../../http/errors.ts'
import { inInstallation } from '../../http/installation-guard.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { selectAlarms } from './queries.ts'
import { tryAlarms } from './tell.ts'

const admins = inInstallation('installation.setUp')

export const alarms = new Hono<UserEnv>()
  .get('/alarms', requireUser, admins, async (c) =>
    ok(c, (await selectAlarms(c.var.db)) satisfies Alarm[]),
  )
  .post('/setup/alarms', requireUser, admins, async (c) => {
    const faults = alarmFaults(c.env)
    if (faults.length > 0) throw notConfigured(faults)
    return ok(c, (await tryAlarms(c.env, c.var.db, nowSeconds())) satisfies AlarmTrial)
  })
