/**
 * The folder of a backup: `backup.json` lists its parts, a SQLite file holds the rows, `objects` the bucket's content.
 * `backup.json` is written last, so an interrupted run leaves the earlier backup intact.
 */
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import type { Database } from '../deploy/database.ts'
import { messageOf, PlainError } from '../plain-error.ts'

const MANIFEST = 'backup.json'
const OBJECTS = 'objects'
/** The file with a line for each object that an unfinished run has fetched. */
const JOURNAL = 'fetched.jsonl'
/** The ending of a file that is still being written. */
const PART = '.part'

/** Modes: only the owner may read a backup, because it holds code, addresses and hashes of passwords. */
const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const

const keptObject = z.object({
  key: z.string(),
  sizeBytes: z.int(),
  sha256: z.string(),
  md5: z.string(),
})
export type KeptObject = z.infer<typeof keptObject>

const manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The SQLite file. */
  database: z.string().regex(/^[\w.-]+$/),
  tables: z.record(z.string(), z.object({ rows: z.int(), sha256: z.string() })),
  /** Tables whose rows were left out, kinds of objects that were left out, and why. */
  leftOut: z.record(z.string(), z.string()),
  objects: z.array(keptObject),
  /** Keys of objects that rows name but the bucket does not have. */
  missing: z.array(z.string()),
})
export type Manifest = z.infer<typeof manifest>

/** Size and hashes of a file. */
export async function digestOf(path: string): Promise<Omit<KeptObject, 'key'>> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  for await (const chunk of createReadStream(path)) {
    sha256.update(chunk as Buffer)
    md5.update(chunk as Buffer)
  }
  return { sizeBytes: statSync(path).size, sha256: sha256.digest('hex'), md5: md5.digest('hex') }
}

/** The SHA-256 of an object as a bucket gives it. */
export async function sha256Of(content: ReadableStream<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}

/** The path of an object's content. The Worker makes keys of lower-case words, ids and slashes. */
export function objectFile(folder: string, key: string): string {
  if (!/^[\w-]+(\/[\w.-]+)*$/.test(key) || key.includes('..'))
    throw new PlainError(`The key ${JSON.stringify(key)} cannot be a file’s name.`)
  return join(folder, OBJECTS, key)
}

/** Whether an entry of a folder belongs to a backup. */
const isOurs = (name: string) =>
  name === OBJECTS ||
  name.startsWith(MANIFEST) ||
  name === JOURNAL ||
  /^rows-\w+\.sqlite/.test(name)

/**
 * Makes the folder of a backup, or takes an existing one, and lets only its owner read it.
 * @throws PlainError for a folder that holds other things and no backup: a backup would change the modes of somebody else's files
 */
export function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY.folder })
  const entries = readdirSync(folder, { withFileTypes: true })
  const other = entries.find(({ name }) => !isOurs(name))
  if (other && !existsSync(join(folder, MANIFEST)))
    throw new PlainError(
      `${folder} holds ${other.name} and no backup; nothing was changed. Name a folder for backups alone, such as ${join(folder, 'judge')}.`,
    )
  chmodSync(folder, OWNER_ONLY.folder)
  for (const entry of entries)
    if (entry.isFile() && isOurs(entry.name)) chmodSync(join(folder, entry.name), OWNER_ONLY.file)
  const objects = join(folder, OBJECTS)
  mkdirSync(objects, { recursive: true })
  chmodSync(objects, OWNER_ONLY.folder)
  for (const entry of readdirSync(objects, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, OWNER_ONLY.folder)
    else if (entry.name.endsWith(PART)) rmSync(path)
    else if (entry.isFile()) chmodSync(path, OWNER_ONLY.file)
  }
}

/** Removes copies of the database that no manifest names: interrupted runs have left them. */
export function removeStaleCopies(folder: string): void {
  const kept = readManifest(folder)?.database
  for (const name of readdirSync(folder))
    if (/^rows-\w+\.sqlite/.test(name) && name !== kept) rmSync(join(folder, name))
}

/** The objects that runs have fetched since the last finished backup. */
export function readJournal(folder: string): KeptObject[] {
  const path = join(folder, JOURNAL)
  if (!existsSync(path)) return []
  // The last line may be incomplete.
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => keptLine.safeParse(line).data ?? [])
}

const keptLine = z
  .string()
  .transform((line, context) => {
    try {
      return JSON.parse(line) as unknown
    } catch {
      context.addIssue('no JSON')
      return z.NEVER
    }
  })
  .pipe(keptObject)

/** Notes that an object was fetched. */
export function addToJournal(folder: string, object: KeptObject): void {
  appendFileSync(join(folder, JOURNAL), `${JSON.stringify(object)}\n`, { mode: OWNER_ONLY.file })
}

/** Makes an empty file that only its owner can read; SQLite fills it. */
export function makeEmpty(path: string): void {
  writeFileSync(path, '', { mode: OWNER_ONLY.file })
}

/** Writes a file atomically: it exists whole or not at all. */
export async function writeWhole(path: string, content: ReadableStream<Uint8Array>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY.folder })
  await pipeline(content, createWriteStream(`${path}${PART}`, { mode: OWNER_ONLY.file }))
  renameSync(`${path}${PART}`, path)
}

/** The backup in a folder; null: there is none. */
export function readManifest(folder: string): Manifest | null {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) return null
  try {
    return manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new PlainError(`${path} is not the manifest of a backup: ${messageOf(error)}`)
  }
}

/**
 * Makes this the folder's backup, and removes the rows of the earlier backup.
 * @throws PlainError when another run has removed the rows of this backup
 */
export function writeManifest(folder: string, next: Manifest): void {
  if (!existsSync(join(folder, next.database)))
    throw new PlainError(`Another backup into ${folder} has begun; run the command again.`)
  const before = readManifest(folder)
  const path = join(folder, MANIFEST)
  const text = `${JSON.stringify(next, null, 1)}\n`
  writeFileSync(`${path}${PART}`, text, { mode: OWNER_ONLY.file, flush: true })
  renameSync(`${path}${PART}`, path)
  rmSync(join(folder, JOURNAL), { force: true })
  if (before && before.database !== next.database)
    rmSync(join(folder, before.database), { force: true })
}

/** A SQLite file as an installation’s database. */
export function openFile(file: DatabaseSync): Database {
  return {
    query: async (sql, params = []) => file.prepare(sql).all(...params),
    async batch(statements) {
      file.exec('begin')
      try {
        for (const { sql, params = [] } of statements) file.prepare(sql).run(...params)
        file.exec('commit')
      } catch (error) {
        file.exec('rollback')
        throw error
      }
    },
  }
}
