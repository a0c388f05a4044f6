/**
 * `npm run backup -- FOLDER [--remote [--env NAME]] [--outputs]`: writes an installation into a folder. The next backup into the same
 * folder fetches only new objects. After an interruption run it again; it then goes on.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { PlainError, runCommand } from '../plain-error.ts'
import { openInstallation, readArguments } from './arguments.ts'
import { ageNote } from './age-note.ts'
import { copyRows } from './copy-rows.ts'
import {
  addToJournal,
  digestOf,
  type KeptObject,
  makeEmpty,
  objectFile,
  openFolder,
  openFile,
  readJournal,
  readManifest,
  removeStaleCopies,
  writeManifest,
  writeWhole,
  type Manifest,
} from './folder.ts'
import type { Bucket, Installation } from './installation.ts'
import { fingerprintOf } from './rows.ts'
import { LEFT_OUT, listTables, OUTPUTS, readTable, readTables, WHY_OUTPUTS } from './tables.ts'

const USAGE = 'npm run backup -- FOLDER [--remote [--env NAME]] [--outputs]'

/** The keys of objects, by the table whose rows name them. All other objects in the bucket live for minutes. */
const KEYS = {
  test_data_versions: 'select object_key as key from test_data_versions',
  problem_files: "select 'files/' || file_id as key from problem_files",
  date_requests:
    "select 'requests/' || file_id as key from date_requests where file_id is not null",
  packs: "select object_key as key from packs where object_key glob 'packs/*'",
}
/** Judgements whose outputs are kept. Outputs of earlier judgements and of deleted problems are gone after a week, by design. */
const WITH_OUTPUTS = `judgements j join submissions s on s.judgement_id = j.id
    join problems p on p.id = s.problem_id and p.deleted_at is null`
/** The keys of kept outputs, by the column that names them. */
const OUTPUT_KEYS = {
  outputs_key: `select outputs_key as key from ${WITH_OUTPUTS} where outputs_key is not null`,
  // A pack's row and object are deleted together, at any time after all outputs in the pack have expired.
  outputs_pack_id: `select object_key as key from ${WITH_OUTPUTS} join packs on packs.id = j.outputs_pack_id`,
}

/** Deletes the judgements of sample runs: a backup leaves them out. */
const RUNS_AWAY = 'delete from judgements where submission_id is null'

const keyRows = z.array(z.object({ key: z.string() }))

/** The keys of all objects that rows name. An installation with an older schema lacks some tables and columns. */
function readKeys(file: DatabaseSync, withOutputs: boolean): string[] {
  const tables = listTables(file)
  const columns = withOutputs ? readTable(file, 'judgements').columns.map(({ name }) => name) : []
  const selects = [
    ...Object.entries(KEYS).flatMap(([table, select]) => (tables.includes(table) ? [select] : [])),
    ...Object.entries(OUTPUT_KEYS).flatMap(([column, select]) =>
      columns.includes(column) ? [select] : [],
    ),
  ]
  const rows = file.prepare(`${selects.join(' union ')} order by key`).all()
  return keyRows.parse(rows).map(({ key }) => key)
}

/** @throws PlainError for a file that cannot be restored */
function requireWhole(file: DatabaseSync): void {
  const faults = file.prepare('pragma foreign_key_check').all().length
  const [check] = file.prepare('pragma integrity_check').all()
  if (faults === 0 && check?.['integrity_check'] === 'ok') return
  throw new PlainError(
    `The copy of the database is damaged (${faults} rows refer to missing rows); run the command again.`,
  )
}

/** Copies the database; returns its part of the manifest, and the keys of the objects that its rows name. */
async function copyDatabase({ query }: Installation, path: string, withOutputs: boolean) {
  makeEmpty(path)
  const file = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  try {
    file.exec('pragma journal_mode = off')
    await copyRows(query, file)
    file.exec(RUNS_AWAY)
    requireWhole(file)
    const tables: Manifest['tables'] = {}
    for (const table of readTables(file))
      tables[table.name] = await fingerprintOf(openFile(file).query, table)
    const here = listTables(file)
    const leftOut = Object.fromEntries([
      ...Object.entries(LEFT_OUT).filter(([name]) => here.includes(name)),
      ...(withOutputs ? [] : [[OUTPUTS, WHY_OUTPUTS] as const]),
    ])
    return { tables, keys: readKeys(file, withOutputs), leftOut }
  } finally {
    file.close()
  }
}

/** Fetches an object unless the folder has it. Null: the bucket does not have it. */
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
 * @param options.withOutputs whether kept outputs are included
 * @param options.now the time in the name of the file with the rows
 */
export async function makeBackup(
  installation: Installation,
  folder: string,
  log: (line: string) => void,
  { withOutputs = false, now = new Date() }: { withOutputs?: boolean; now?: Date } = {},
): Promise<Manifest> {
  openFolder(folder)
  removeStaleCopies(folder)
  const before = [...(readManifest(folder)?.objects ?? []), ...readJournal(folder)]
  const known = new Map(before.map((object) => [object.key, object]))
  const database = `rows-${now.toISOString().replaceAll(/[^\dT]/g, '')}.sqlite`
  log('Copying the database')
  const { tables, keys, leftOut } = await copyDatabase(
    installation,
    join(folder, database),
    withOutputs,
  )
  log(`Fetching the new ones of ${keys.length} objects`)
  const [objects, missing]: [KeptObject[], string[]] = [[], []]
  for (const key of keys) {
    const kept = await keep(folder, installation.bucket, key, known.get(key))
    if (kept) objects.push(kept)
    else missing.push(key)
    if (kept && kept.sha256 !== known.get(key)?.sha256) addToJournal(folder, kept)
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
  // An installation with an older schema has no such table.
  if (Object.hasOwn(leftOut, 'vitals')) await installation.query(ageNote(now))
  return manifest
}

async function main(): Promise<void> {
  const { folder, outputs, ...where } = readArguments(USAGE)
  const installation = await openInstallation(where)
  try {
    const { tables, objects, missing, leftOut } = await makeBackup(
      installation,
      folder,
      (line) => console.log(line),
      { withOutputs: outputs },
    )
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    const bytes = objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    console.log(
      `${folder} holds ${rows} rows and ${objects.length} objects (${Math.ceil(bytes / 1e6)} MB).`,
    )
    for (const [table, why] of Object.entries(leftOut)) console.log(`Without ${table}: ${why}.`)
    for (const key of missing) console.log(`The bucket lacks the object ${key}, which a row names.`)
    if (missing.length > 0)
      throw new PlainError(
        `The backup is made, but lacks objects that the bucket has lost (${missing.length}, named above). Upload those files again and run the command again.`,
      )
  } finally {
    await installation.close()
  }
}

if (import.meta.main) await runCommand(main)
