/** An installation as a deploy leaves it, made without the deploy's calls: a database with the schema, and a bucket. */
import { schemaStatements } from '../../scripts/deploy/database.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { newDatabase, type Account } from './account.ts'
import { MIGRATIONS_FOLDER } from './migrations.ts'

export function emptyInstallation(account: Account, environment?: string) {
  const names = namesOf(environment)
  const database = newDatabase(names.database)
  for (const { sql } of schemaStatements(MIGRATIONS_FOLDER)) database.sqlite.exec(sql)
  const bucket = new Map<string, string | Uint8Array>()
  account.databases.set(database.uuid, database)
  account.buckets.set(names.bucket, bucket)
  return { sqlite: database.sqlite, bucket }
}
