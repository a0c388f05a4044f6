/** Puts the whole term into a local database while nothing else has it open. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { databaseFile, prepareDatabase } from '../../stack/local-database.ts'
import { DEMO_ADMIN } from '../accounts.ts'
import { termPrograms } from './program-files.ts'
import { termStatements } from './statements.ts'

/** Nobody but the admin, and no course but `Public`. */
const IS_EMPTY =
  'select (select count(*) from users) = 1 and (select count(*) from courses) = 1 as empty'

/**
 * Makes the local database of a stack that is about to start, with the whole term in it. One that holds
 * anything already stays as it is. A file on this machine is all that it can write to.
 * @param stateDir the stack's folder
 */
export async function prepareTerm(stateDir: string, signal?: AbortSignal): Promise<void> {
  const persistTo = join(stateDir, 'worker')
  await prepareDatabase(persistTo, DEMO_ADMIN, signal)
  const database = new DatabaseSync(databaseFile(persistTo))
  try {
    if (database.prepare(IS_EMPTY).get()?.['empty'] !== 1) return
    database.exec('begin')
    for (const { sql, parameters } of termStatements(termPrograms(), Date.now()))
      database.prepare(sql).run(...parameters)
    database.exec('commit')
  } finally {
    database.close()
  }
}
