/**
 * `npm run backup -- FOLDER [--remote [--env NAME]]`: writes an installation into a folder. Into the same folder again it
 * fetches only the objects that are new.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { PlainError, runCommand } from '../plain-error.ts'
import { openInstallation, readArguments } from './arguments.ts'
import {
  digestOf,
  type KeptObject,
  makeEmpty,
  objectFile,
  openFolder,
  queryFile,
  readManifest,
  writeManifest,
  writeWhole,
  type Manifest,
} from './folder.ts'
import type { Bucket, Installation } from './installation.ts'
import { fingerprintOf } from './rows.ts'
import { LOCK } from './lock.ts'
import { LEFT_OUT, listTables, readTables } from './tables.ts'

const USAGE = 'npm run backup -- FOLDER [--remote [--env NAME]]'

/** What the keys are of that rows of a table name. Everything else in the bucket lives for minutes. */
const KEYS = {
  test_data_versions: 'select object_key as key from test_data_versions',
  problem_files: "select 'files/' || file_id as key from problem_files",
  // Those of earlier judgements and of deleted problems are gone after a week, by design.
  judgements: `select outputs_key as key from judgements j join submissions s on s.judgement_id = j.id
    join problems p on p.id = s.problem_id and p.deleted_at is null where outputs_key is not null`,
  packs: 'select object_key as key from packs',
}

const keyRows = z.array(z.object({ key: z.string() }))

/** The keys of all objects that rows name. An installation that is older than this code lacks some of the tables. */
function readKeys(file: DatabaseSync): string[] {
  const tables = listTables(file)
  const selects = Object.entries(KEYS).flatMap(([table, select]) =>
    tables.includes(table) ? [select] : [],
  )
  const rows = file.prepare(`${selects.join(' union ')} order by key`).all()
  return keyRows.parse(rows).map(({ key }) => key)
}

/** Takes out the rows that stay behind. */
function leaveOut(file: DatabaseSync): Manifest['leftOut'] {
  const here = Object.entries(LEFT_OUT).filter(([name]) => listTables(file).includes(name))
  for (const [name] of here) file.exec(`delete from "${name}"`)
  file.exec('vacuum')
  return Object.fromEntries(here)
}

/** @throws PlainError for a file that cannot be restored */
function requireWhole(file: DatabaseSync): void {
  if (listTables(file).includes(LOCK))
    throw new PlainError(
      'A backup is being restored into this installation: run that command again until it is through, then this one.',
    )
  const faults = file.prepare('pragma foreign_key_check').all().length
  const [check] = file.prepare('pragma integrity_check').all()
  if (faults === 0 && check?.['integrity_check'] === 'ok') return
  throw new PlainError(
    `The copy of the database is damaged (${faults} rows name rows that are not there); run the command again.`,
  )
}

/** Fetches an object unless the folder has it. Null: the bucket has none. */
async function keep(
  folder: string,
  bucket: Bucket,
  key: string,
  known: KeptObject | undefined,
): Promise<KeptObject | null> {
  const path = objectFile(folder, key)
  if (known && existsSync(path)) {
    const digest = await digestOf(path)
    if (digest.sha256 === known.sha256) return { key, ...digest }
  }
  const content = await bucket.read(key)
  if (content === null) return null
  await writeWhole(path, content)
  return { key, ...(await digestOf(path)) }
}

/**
 * Makes a backup.
 * @param now names the file of the rows
 */
export async function makeBackup(
  installation: Installation,
  folder: string,
  log: (line: string) => void,
  now = new Date(),
): Promise<Manifest> {
  openFolder(folder)
  const before = readManifest(folder)
  const known = new Map(before?.objects.map((object) => [object.key, object]))
  const database = `rows-${now.toISOString().replaceAll(/[^\dT]/g, '')}.sqlite`
  rmSync(join(folder, database), { force: true })
  makeEmpty(join(folder, database))
  log('Copying the database')
  await installation.snapshot(join(folder, database))
  const file = new DatabaseSync(join(folder, database), { enableForeignKeyConstraints: false })
  requireWhole(file)
  const leftOut = leaveOut(file)
  const tables: Manifest['tables'] = {}
  for (const table of readTables(file))
    tables[table.name] = await fingerprintOf(queryFile(file), table)
  const keys = readKeys(file)
  file.close()
  log(`Fetching what is new of ${keys.length} objects`)
  const [objects, missing]: [KeptObject[], string[]] = [[], []]
  for (const key of keys) {
    const kept = await keep(folder, installation.bucket, key, known.get(key))
    if (kept) objects.push(kept)
    else missing.push(key)
  }
  const manifest: Manifest = {
    format: 1,
    madeAt: now.toISOString(),
    database,
    tables,
    leftOut,
    objects,
    missing,
  }
  writeManifest(folder, manifest)
  return manifest
}

async function main(): Promise<void> {
  const { folder, ...where } = readArguments(USAGE)
  const installation = await openInstallation(where)
  try {
    const { tables, objects, missing, leftOut } = await makeBackup(installation, folder, (line) =>
      console.log(line),
    )
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    const bytes = objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    console.log(
      `${folder} holds ${rows} rows and ${objects.length} objects (${Math.ceil(bytes / 1e6)} MB).`,
    )
    for (const [table, why] of Object.entries(leftOut)) console.log(`Without ${table}: ${why}.`)
    for (const key of missing) console.log(`The bucket lacks ${key}, which a row names.`)
  } finally {
    await installation.close()
  }
}

if (import.meta.main) await runCommand(main)
