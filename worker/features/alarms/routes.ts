/** /alarms: the alarms that last, and a test whether alarms arrive. For admins. */
import { alarmFaults } from '../../http/alarm-faults.ts'
import { notConfigured } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { selectAlarms } from './queries.ts'
import { tryAlarms } from './tell.ts'

export const alarms = [
  route('GET /alarms', async (c) => selectAlarms(c.var.db)),
  route('POST /setup/alarms', async (c) => {
    const faults = alarmFaults(c.env)
    if (faults.length > 0) throw notConfigured(faults)
    return tryAlarms(c.env, c.var.db, nowSeconds())
  }),
]
