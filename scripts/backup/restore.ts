/**
 * `npm run restore -- FOLDER [--remote [--env NAME]] [--replace NAME]`: brings a backup into an empty installation, or into
 * one whose name is typed. Run again after it broke off, it begins anew; until it is through nobody can sign in and no judge
 * host gets a job.
 */
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate, type Query } from '../deploy/database.ts'
import { ID_KEY } from '../deploy/ownership.ts'
import { PlainError, runCommand } from '../plain-error.ts'
import { ROOT } from '../root.ts'
import { openInstallation, readArguments } from './arguments.ts'
import { digestOf, type Manifest, objectFile, queryFile, readManifest } from './folder.ts'
import type { Bucket, Installation } from './installation.ts'
import { beginLock, endLock, LOCK, lockTables, TABLES, writeLocked } from './lock.ts'
import { fingerprintOf, readRows, writeLate, writeRows } from './rows.ts'
import { readTables, type Table } from './tables.ts'

const USAGE = 'npm run restore -- FOLDER [--remote [--env NAME]] [--replace NAME]'
const MIGRATIONS = join(ROOT, 'migrations')

/** Jobs of hosts that no longer know them are free. */
const FREE = `update judgements set state = 'queued', phase = 'queued', cases_done = 0, lease = null, lease_until = null, runner_id = null, plan = null
  where state = 'leased' and finished_at is null`

/** Anything that somebody would miss: an active account, a course, a problem. */
const IN_USE = `select 1 from users where active = 1 union all select 1 from courses where teacher_id is not null union all select 1 from problems limit 1`

/** @throws PlainError that names the first file that differs */
async function requireWhole(folder: string, { database, objects }: Manifest): Promise<void> {
  if (!existsSync(join(folder, database))) throw new PlainError(`${folder} lacks ${database}.`)
  for (const { key, sha256 } of objects) {
    const path = objectFile(folder, key)
    if (!existsSync(path)) throw new PlainError(`${folder} lacks ${path}; nothing was changed.`)
    if ((await digestOf(path)).sha256 !== sha256)
      throw new PlainError(`${path} is not what was backed up; nothing was changed.`)
  }
}

/** A copy of the backup’s rows with the schema of this code, without leases. */
async function openRows(
  folder: string,
  { database, tables }: Manifest,
): Promise<{ file: DatabaseSync; close(): void }> {
  const work = mkdtempSync(join(tmpdir(), 'restore-'))
  const path = join(work, 'rows.sqlite')
  copyFileSync(join(folder, database), path)
  const file = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  const close = () => {
    file.close()
    rmSync(work, { recursive: true })
  }
  try {
    const query = queryFile(file)
    for (const table of readTables(file)) {
      const { rows, sha256 } = await fingerprintOf(query, table)
      if (rows !== tables[table.name]?.rows || sha256 !== tables[table.name]?.sha256)
        throw new PlainError(
          `${database} is not what was backed up (table ${table.name}); nothing was changed.`,
        )
    }
    await migrate(
      async (sql) => (/^select/i.test(sql) ? query(sql) : (file.exec(sql), [])),
      MIGRATIONS,
    )
    file.exec(FREE)
    return { file, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Whether the installation is not in use, or its name was typed. */
async function isReplaceable(
  { name, query }: Installation,
  typed: string | undefined,
): Promise<boolean> {
  const tables = (await query(TABLES)).map((row) => String(row['name']))
  if (tables.includes(LOCK) || !tables.includes('users') || typed === name) return true
  return (await query(IN_USE)).length === 0
}

/** The tables of a database, each before those that it names: so they can be dropped. */
async function listDroppable(query: Query): Promise<string[]> {
  const made = (await query(TABLES)).map(({ name, sql }) => ({
    name: String(name),
    parents: [...String(sql).matchAll(/\breferences\s+[`"]?(\w+)/gi)].map(([, parent]) => parent),
  }))
  const waiting = made.filter(({ name }) => !name.startsWith(LOCK))
  const ordered: string[] = []
  while (waiting.length > 0) {
    const free = waiting.findIndex(
      ({ name }) => !waiting.some((other) => other.name !== name && other.parents.includes(name)),
    )
    // Users and courses name each other; either may go first.
    const [next] = waiting.splice(Math.max(free, 0), 1)
    if (next) ordered.push(next.name)
  }
  return ordered
}

/** An empty database with the schema of this code, locked. */
async function begin(query: Query, madeAt: string): Promise<void> {
  await beginLock(query, madeAt)
  const drops = (await listDroppable(query)).map((name) => `drop table "${name}"`)
  await writeLocked(query, 'pragma defer_foreign_keys = on', ...drops)
  await migrate(query, MIGRATIONS)
  await lockTables(query)
}

async function restoreRows(
  query: Query,
  from: Query,
  tables: readonly Table[],
  log: (line: string) => void,
): Promise<void> {
  // What the migrations have written, and the Worker before the lock.
  const emptied = tables.toReversed().map(({ name }) => `delete from "${name}"`)
  await writeLocked(query, 'pragma defer_foreign_keys = on', ...emptied)
  for (const table of tables) {
    log(`Restoring ${table.name}`)
    for await (const rows of readRows(from, table)) await writeRows(query, table, rows)
  }
  for (const table of tables.filter(({ late }) => late.length > 0))
    for await (const rows of readRows(from, table)) await writeLate(query, table, rows)
}

async function restoreObjects(
  bucket: Bucket,
  folder: string,
  { objects }: Manifest,
): Promise<void> {
  const there = new Map<string, string>()
  for await (const { key, sizeBytes, etag } of bucket.list()) there.set(key, `${sizeBytes} ${etag}`)
  // A backup of an earlier release holds the id of the installation that it was made of.
  for (const { key, sizeBytes, md5 } of objects.filter((object) => object.key !== ID_KEY))
    if (there.get(key) !== `${sizeBytes} ${md5}`) await bucket.write(key, objectFile(folder, key))
}

/** Gives database and bucket an id of their own: a copy must not pass for the installation that it was made of. */
async function adoptBucket({ query, bucket }: Installation): Promise<void> {
  const id = randomBytes(32).toString('base64url')
  const work = mkdtempSync(join(tmpdir(), 'restore-'))
  writeFileSync(join(work, ID_KEY), id)
  await bucket.write(ID_KEY, join(work, ID_KEY))
  rmSync(work, { recursive: true })
  await writeLocked(
    query,
    'delete from installation',
    `insert into installation (id, token, state) values (1, '${id}', 'ok')`,
  )
}

/** What differs between a backup and an installation; null if nothing does. */
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
  return null
}

/**
 * Restores a backup.
 * @param typed the name of an installation that may be replaced
 * @throws PlainError when the backup is damaged or the installation in use; then nothing was changed
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
    const from = queryFile(file)
    if (!(await isReplaceable(installation, typed))) {
      // The answer to the last call of an earlier run may have been lost.
      const difference = await findDifference(from, query, tables).catch(String)
      if (difference === null) {
        await restoreObjects(bucket, folder, manifest)
        return manifest
      }
      throw new PlainError(
        `${installation.name} is in use; nothing was changed. To replace all that it holds: --replace ${installation.name}`,
      )
    }
    await begin(query, manifest.madeAt)
    log(`Restoring ${manifest.objects.length} objects`)
    await restoreObjects(bucket, folder, manifest)
    await restoreRows(query, from, tables, log)
    log('Checking what was restored')
    const fault = await findDifference(from, query, tables)
    if (fault !== null) throw new PlainError(`${fault}; run the command again.`)
    await adoptBucket(installation)
    await endLock(query)
    return manifest
  } finally {
    close()
  }
}

async function main(): Promise<void> {
  const { folder, replace, ...where } = readArguments(USAGE)
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
      `${installation.name} is as it was at ${madeAt}: ${rows} rows, ${objects.length} objects. Everybody signs in again.`,
    )
    for (const key of missing) console.log(`The backup lacks ${key}, which a row names.`)
  } finally {
    await installation.close()
  }
}

if (import.meta.main) await runCommand(main)
