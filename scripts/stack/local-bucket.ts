/** Writes objects into the local R2, which the API offers no call for. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The name of the bucket in `wrangler.toml`. */
const BUCKET = 'coursejudge'

const INSERT = `insert or ignore into _mf_objects
  (key, blob_id, version, size, etag, uploaded, checksums, http_metadata, custom_metadata) values (?, ?, ?, ?, ?, ?, '{}', '{}', '{}')`

/**
 * Adds objects, also while the Worker runs. The bucket must have an object already.
 * @param persistTo wrangler's folder of local state
 */
export function putLocalObjects(persistTo: string, objects: ReadonlyMap<string, string>): void {
  const folder = join(persistTo, 'v3/r2')
  const metadata = join(folder, 'miniflare-R2BucketObject')
  const file = readdirSync(metadata).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  if (file === undefined) throw new Error(`no bucket in ${folder}`)
  const blobs = join(folder, BUCKET, 'blobs')
  mkdirSync(blobs, { recursive: true })
  const database = new DatabaseSync(join(metadata, file))
  try {
    database.exec('pragma busy_timeout = 10000')
    database.exec('begin immediate')
    for (const [key, text] of objects) {
      const bytes = Buffer.from(text)
      const blob = randomBytes(40).toString('hex')
      writeFileSync(join(blobs, blob), bytes)
      const version = randomBytes(16).toString('hex')
      const etag = createHash('md5').update(bytes).digest('hex')
      database.prepare(INSERT).run(key, blob, version, bytes.length, etag, Date.now())
    }
    database.exec('commit')
  } finally {
    database.close()
  }
}
