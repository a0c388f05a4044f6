/** Changes a stack's local database, where no call would do so in time. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { databaseFile } from '../../scripts/stack/local-database.ts'

/** Runs SQL while the Worker runs. */
export function changeDatabase(stateDir: string, sql: string): void {
  const database = new DatabaseSync(databaseFile(join(stateDir, 'worker')))
  try {
    database.exec('pragma busy_timeout = 10000')
    database.exec(sql)
  } finally {
    database.close()
  }
}

/** Ages every session of a stack, so that its password counts as typed long ago. */
export function ageSessions(stateDir: string): void {
  changeDatabase(stateDir, 'update sessions set confirmed_at = 0')
}
