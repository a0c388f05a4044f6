/** Puts the whole term into a judge on this machine: what the teacher set over HTTP, what students did by SQL. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ApiClient } from '../../api-client.ts'
import { databaseFile } from '../../stack/local-database.ts'
import { seedDemo } from '../../stack/seed-demo.ts'
import { termCourse } from './plan.ts'
import { termPrograms } from './program-files.ts'
import { historyStatements, peopleStatement, type Statement } from './statements.ts'

/** Runs statements beside the Worker, unless the course has submissions. */
function runStatements(stateDir: string, statements: () => readonly Statement[]): void {
  const database = new DatabaseSync(databaseFile(join(stateDir, 'worker')))
  try {
    database.exec('pragma busy_timeout = 10000')
    if (database.prepare('select 1 from submissions limit 1').get()) return
    database.exec('begin immediate')
    for (const { sql, parameters } of statements()) database.prepare(sql).run(...parameters)
    database.exec('commit')
  } finally {
    database.close()
  }
}

/**
 * Adds whatever is missing of the term. A file on this machine is all that it can write to.
 * @returns the API as the course's teacher calls it
 */
export async function seedTerm(
  { url, stateDir }: { url: string; stateDir: string },
  signal?: AbortSignal,
): Promise<ApiClient> {
  const nowMs = Date.now()
  runStatements(stateDir, () => [peopleStatement(nowMs)])
  const teacher = await seedDemo(url, termCourse(nowMs), signal)
  runStatements(stateDir, () => historyStatements(termPrograms(), nowMs))
  return teacher
}
