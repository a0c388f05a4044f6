/**
 * `npm run restore -- FOLDER [--remote [--env NAME]] [--replace NAME]`: restores a backup into an empty installation, or into
 * the one whose name is typed. It first checks everything. Then one transaction drops the old tables and makes the empty, locked
 * schema: until the restore ends, nobody can sign in and no judge host gets a job. After an interruption run it again.
 */
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  migrate,
  schemaStatements,
  type Database,
  type Query,
  type Statement,
} from '../deploy/database.ts'
import { ID_KEY } from '../deploy/ownership.ts'
import { PlainError, runCommand } from '../plain-error.ts'
import { ROOT } from '../root.ts'
import { ageNote } from './age-note.ts'
import { openInstallation, readArguments } from './arguments.ts'
import {
  digestOf,
  type KeptObject,
  type Manifest,
  objectFile,
  openFile,
  readManifest,
  sha256Of,
} from './folder.ts'
import type { Bucket, Installation, StoredObject } from './installation.ts'
import {
  endLock,
  listParts,
  listTableTriggers,
  LOCK,
  lockStatements,
  writeLocked,
  type Part,
} from './lock.ts'
import { fingerprintOf, insertStatements, lateStatements, readPages } from './rows.ts'
import { readSequences, sequenceStatements } from './sequences.ts'
import { listTables, OUTPUTS, readTables, type Table } from './tables.ts'
import { openWorkFolder } from './work-folder.ts'

const USAGE = 'npm run restore -- FOLDER [--remote [--env NAME]] [--replace NAME]'
const MIGRATIONS = join(ROOT, 'migrations')
/** The most characters of parameters in one call, unless a single parameter has more. */
const GROUP_CHARS = 1_000_000

/** Puts running jobs back into the queue: no judge host knows them any more. */
const FREE = `update judgements set state = 'queued', phase = 'queued', cases_done = 0, lease = null, lease_until = null, runner_id = null, plan = null
  where state = 'leased' and finished_at is null`

/** Removes the references to outputs. */
const WITHOUT_OUTPUTS = `update judgements set outputs_key = null, outputs_pack_id = null, outputs_offset = null, outputs_bytes = null
    where outputs_key is not null or outputs_pack_id is not null;
  delete from packs where object_key glob 'output-packs/*'`

/** Finds anything of value: an active account, a course, a problem. */
const IN_USE = `select 1 from users where active = 1 union all select 1 from courses where teacher_id is not null union all select 1 from problems limit 1`

/** @throws PlainError that names the first file that differs */
async function requireWhole(folder: string, { database, objects }: Manifest): Promise<void> {
  if (!existsSync(join(folder, database))) throw new PlainError(`${folder} lacks ${database}.`)
  for (const { key, sha256 } of objects) {
    const path = objectFile(folder, key)
    if (!existsSync(path)) throw new PlainError(`${folder} lacks ${path}; nothing was changed.`)
    if ((await digestOf(path)).sha256 !== sha256)
      throw new PlainError(`${path} differs from the backup; nothing was changed.`)
  }
}

/** A copy of the backup’s rows, migrated to the schema of this code, without leases. */
async function openRows(
  folder: string,
  { database, tables, leftOut }: Manifest,
): Promise<{ file: DatabaseSync; close(): void }> {
  const work = openWorkFolder()
  const path = join(work.path, 'rows.sqlite')
  copyFileSync(join(folder, database), path)
  const file = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  const close = () => {
    file.close()
    work.remove()
  }
  try {
    const own = openFile(file)
    for (const table of readTables(file)) {
      const { rows, sha256 } = await fingerprintOf(own.query, table)
      if (rows !== tables[table.name]?.rows || sha256 !== tables[table.name]?.sha256)
        throw new PlainError(
          `${database} differs from the backup (table ${table.name}); nothing was changed.`,
        )
    }
    await migrate(own, MIGRATIONS)
    file.exec(FREE)
    if (Object.hasOwn(leftOut, OUTPUTS)) file.exec(WITHOUT_OUTPUTS)
    return { file, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Whether the installation may be replaced: it is not in use, or its name was typed. */
async function isReplaceable(
  { name, query }: Installation,
  parts: readonly Part[],
  typed: string | undefined,
): Promise<boolean> {
  const has = (table: string) => parts.some((part) => part.name === table)
  if (has(LOCK) || !has('users') || typed === name) return true
  return (await query(IN_USE)).length === 0
}

/** Tables in the order in which they can be dropped: each before the tables that it refers to. */
function orderToDrop(parts: readonly Part[]): string[] {
  const waiting = parts
    .filter(({ type }) => type === 'table')
    .map(({ name, sql }) => ({
      name,
      parents: [...sql.matchAll(/\breferences\s+[`"]?(\w+)/gi)].map(([, parent]) => parent),
    }))
  const ordered: string[] = []
  while (waiting.length > 0) {
    const free = waiting.findIndex(
      ({ name }) => !waiting.some((other) => other.name !== name && other.parents.includes(name)),
    )
    // Users and courses refer to each other; either may go first.
    const [next] = waiting.splice(Math.max(free, 0), 1)
    if (next) ordered.push(next.name)
  }
  return ordered
}

/**
 * Replaces the present schema by the schema of this code, empty and locked, in one transaction. Triggers of tables come back with `endLock`:
 * what they would write is among the rows of the backup.
 */
async function replaceSchema(
  { query, batch }: Database,
  tables: readonly string[],
  triggers: readonly Part[],
): Promise<void> {
  const parts = await listParts(query)
  const named = (type: Part['type']) => parts.filter((part) => part.type === type)
  const drops = [
    ...named('trigger').map(({ name }) => `drop trigger "${name}"`),
    ...named('view').map(({ name }) => `drop view "${name}"`),
    ...orderToDrop(parts).map((name) => `drop table "${name}"`),
  ]
  await batch([
    { sql: 'pragma defer_foreign_keys = on' },
    ...drops.map((sql) => ({ sql })),
    ...schemaStatements(MIGRATIONS),
    ...triggers.map(({ name }) => ({ sql: `drop trigger "${name}"` })),
    // The migrations have written these rows.
    ...tables.map((name) => ({ sql: `delete from "${name}"` })),
    ...lockStatements(tables),
  ])
}

/** Statements in groups that fit into one call. */
function* groupsOf(statements: readonly Statement[]): Generator<Statement[]> {
  let group: Statement[] = []
  let chars = 0
  for (const statement of statements) {
    const own = (statement.params ?? []).reduce((sum, text) => sum + text.length, 0)
    if (group.length > 0 && chars + own > GROUP_CHARS) {
      yield group
      group = []
      chars = 0
    }
    group.push(statement)
    chars += own
  }
  if (group.length > 0) yield group
}

async function restoreRows(
  to: Database,
  from: Query,
  tables: readonly Table[],
  log: (line: string) => void,
): Promise<void> {
  for (const table of tables) {
    log(`Restoring ${table.name}`)
    for await (const rows of readPages(from, table))
      for (const group of groupsOf(insertStatements(table, rows))) await writeLocked(to, group)
  }
  for (const table of tables.filter(({ late }) => late.length > 0))
    for await (const rows of readPages(from, table))
      for (const group of groupsOf(lateStatements(table, rows))) await writeLocked(to, group)
  await writeLocked(to, sequenceStatements(await readSequences(from)))
}

/** Whether a stored object is the same as in the backup. An object stored in parts has no MD5, so its content is read. */
async function isKept(
  bucket: Bucket,
  stored: StoredObject | undefined,
  { key, sizeBytes, md5, sha256 }: KeptObject,
): Promise<boolean> {
  if (stored?.sizeBytes !== sizeBytes) return false
  if (!stored.etag.includes('-')) return stored.etag === md5
  const content = await bucket.read(key)
  return content !== null && (await sha256Of(content)) === sha256
}

async function restoreObjects(
  bucket: Bucket,
  folder: string,
  { objects }: Manifest,
): Promise<void> {
  const there = new Map<string, StoredObject>()
  for await (const stored of bucket.list()) there.set(stored.key, stored)
  // A backup by an earlier release holds the id of its own installation.
  for (const object of objects.filter(({ key }) => key !== ID_KEY))
    if (!(await isKept(bucket, there.get(object.key), object)))
      await bucket.write(object.key, objectFile(folder, object.key))
}

/** Gives database and bucket a new id: a copy must not pass for the original installation. */
async function adoptBucket(installation: Installation): Promise<void> {
  const id = randomBytes(32).toString('base64url')
  const work = openWorkFolder()
  writeFileSync(join(work.path, ID_KEY), id)
  await installation.bucket.write(ID_KEY, join(work.path, ID_KEY))
  work.remove()
  await writeLocked(installation, [
    { sql: 'delete from installation' },
    { sql: `insert into installation (id, token, state) values (1, '${id}', 'ok')` },
  ])
}

/** The first difference between a backup and an installation; null: none. */
async function findDifference(
  from: Query,
  query: Query,
  tables: readonly Table[],
): Promise<string | null> {
  for (const table of tables) {
    const [own, restored] = [await fingerprintOf(from, table), await fingerprintOf(query, table)]
    if (own.sha256 !== restored.sha256)
      return `The table ${table.name} came out different (${restored.rows} of ${own.rows} rows)`
  }
  const restored = await readSequences(query)
  for (const [name, seq] of await readSequences(from))
    if ((restored.get(name) ?? 0) < seq) return `Ids of the table ${name} might be used again`
  return null
}

/**
 * Restores a backup.
 * @param typed the name that was typed to allow replacing an installation
 * @throws PlainError, before any change, when the backup is damaged or the installation is in use
 */
export async function restoreBackup(
  installation: Installation,
  folder: string,
  log: (line: string) => void,
  typed?: string,
): Promise<Manifest> {
  const manifest = readManifest(folder)
  if (manifest === null) throw new PlainError(`There is no backup in ${folder}.`)
  log('Checking the backup')
  await requireWhole(folder, manifest)
  const { file, close } = await openRows(folder, manifest)
  try {
    const { query, bucket } = installation
    const tables = readTables(file)
    const from = openFile(file).query
    if (!(await isReplaceable(installation, await listParts(query), typed))) {
      // The answer to the last call of an earlier run may have been lost.
      const difference = await findDifference(from, query, tables).catch(String)
      if (difference === null) {
        await restoreObjects(bucket, folder, manifest)
        return manifest
      }
      throw new PlainError(
        `${installation.name} is in use; nothing was changed. To replace all its data: --replace ${installation.name}`,
      )
    }
    log(`Restoring ${manifest.objects.length} objects`)
    await restoreObjects(bucket, folder, manifest)
    const locked = listTables(file)
    const triggers = await listTableTriggers(from)
    await replaceSchema(installation, locked, triggers)
    // Restore the objects again: the sweeper may have deleted objects that the earlier rows did not name.
    await restoreObjects(bucket, folder, manifest)
    await restoreRows(installation, from, tables, log)
    log('Checking the restored data')
    const fault = await findDifference(from, query, tables)
    if (fault !== null) throw new PlainError(`${fault}; run the command again.`)
    await adoptBucket(installation)
    await writeLocked(installation, [{ sql: ageNote(new Date(manifest.madeAt)) }])
    await endLock(installation, locked, triggers)
    return manifest
  } finally {
    close()
  }
}

async function main(): Promise<void> {
  const { folder, replace, ...where } = readArguments(USAGE)
  // An interrupted restore can be run again. Its copy of the rows must not stay, so it is deleted when the process exits.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => {
      console.error('Interrupted; run the command again.')
      process.exit(130)
    })
  const installation = await openInstallation(where)
  try {
    const { madeAt, tables, objects, missing } = await restoreBackup(
      installation,
      folder,
      (line) => console.log(line),
      replace,
    )
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `${installation.name} is as it was at ${madeAt}: ${rows} rows, ${objects.length} objects. Everybody has to sign in again.`,
    )
    for (const key of missing) console.log(`The backup lacks the object ${key}, which a row names.`)
  } finally {
    await installation.close()
  }
}

if (import.meta.main) await runCommand(main)
