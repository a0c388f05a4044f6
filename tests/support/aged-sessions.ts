/** Sessions whose password was typed long ago, as after ten minutes at work. */
import { DatabaseSync } from 'node:sqlite'
import { databaseFile } from './mails.ts'

/** Lets every session of a stack have had its password typed at the beginning of time. */
export function ageSessions(stateDir: string): void {
  const database = new DatabaseSync(databaseFile(stateDir))
  try {
    database.exec('pragma busy_timeout = 10000')
    database.exec('update sessions set confirmed_at = 0')
  } finally {
    database.close()
  }
}
