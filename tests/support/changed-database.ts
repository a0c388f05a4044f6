/** Changes what lies in a stack's local database, for what no call would bring about in time. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { databaseFile } from '../../scripts/stack/local-database.ts'

/** Runs SQL beside the Worker. */
export function changeDatabase(stateDir: string, sql: string): void {
  const database = new DatabaseSync(databaseFile(join(stateDir, 'worker')))
  try {
    database.exec('pragma busy_timeout = 10000')
    database.exec(sql)
  } finally {
    database.close()
  }
}

/** Lets every session of a stack have had its password typed at the beginning of time, as after ten minutes at work. */
export function ageSessions(stateDir: string): void {
  changeDatabase(stateDir, 'update sessions set confirmed_at = 0')
}
