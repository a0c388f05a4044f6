/** Puts the whole term into a judge on this machine: the teacher's work over HTTP, the students' work by SQL, then the gradebook over HTTP. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ApiClient } from '../../api-client.ts'
import { databaseFile } from '../../stack/local-database.ts'
import { putLocalObjects } from '../../stack/local-bucket.ts'
import { seedDemo } from '../../stack/seed-demo.ts'
import { seedGradebook } from './gradebook.ts'
import { keepOutputs } from './outputs.ts'
import { termCourse } from './plan.ts'
import { termPrograms } from './program-files.ts'
import { historyStatements, peopleStatement, type Statement } from './statements.ts'

/** Runs statements on the database while the Worker runs, then `more` in the same transaction, unless the course has submissions. */
function runStatements(
  stateDir: string,
  statements: () => readonly Statement[],
  more: (database: DatabaseSync) => void = () => {},
): void {
  const database = new DatabaseSync(databaseFile(join(stateDir, 'worker')))
  try {
    database.exec('pragma busy_timeout = 10000')
    if (database.prepare('select 1 from submissions limit 1').get()) return
    database.exec('begin immediate')
    for (const { sql, parameters } of statements()) database.prepare(sql).run(...parameters)
    more(database)
    database.exec('commit')
  } finally {
    database.close()
  }
}

/**
 * Adds all parts of the term that are missing. It can only write to a database file on this machine.
 * @returns the API, signed in as the course's teacher
 */
export async function seedTerm(
  { url, stateDir }: { url: string; stateDir: string },
  signal?: AbortSignal,
): Promise<ApiClient> {
  const nowMs = Date.now()
  runStatements(stateDir, () => [peopleStatement(nowMs)])
  const teacher = await seedDemo(url, termCourse(nowMs), signal)
  const programs = termPrograms()
  runStatements(
    stateDir,
    () => historyStatements(programs, nowMs),
    (database) => putLocalObjects(join(stateDir, 'worker'), keepOutputs(database, programs)),
  )
  await seedGradebook(teacher)
  return teacher
}
