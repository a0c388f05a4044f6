/** The installation of `npm start`, while it is stopped. */
import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { claimStateFolder } from '../stack/state-folder.ts'
import type { Bucket, Installation, StoredObject } from './installation.ts'

type LocalBucket = Awaited<ReturnType<Miniflare['getR2Bucket']>>

function openBucket(bucket: LocalBucket): Bucket {
  return {
    async *list() {
      let cursor: string | undefined
      do {
        const page = await bucket.list(cursor === undefined ? {} : { cursor })
        yield* page.objects.map(({ key, size, etag }): StoredObject => ({
          key,
          sizeBytes: size,
          etag,
        }))
        cursor = page.truncated ? page.cursor : undefined
      } while (cursor !== undefined)
    },
    async read(key) {
      const object = await bucket.get(key)
      return (object?.body as ReadableStream<Uint8Array> | undefined) ?? null
    },
    async write(key, file) {
      await bucket.put(key, await (await openAsBlob(file)).arrayBuffer())
    },
  }
}

/**
 * Opens the state folder of a local stack; no stack may run in it.
 * @throws PlainError when one does
 */
export async function openLocal(stateDir: string): Promise<Installation> {
  const release = claimStateFolder(stateDir)
  const persistTo = join(stateDir, 'worker')
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      // These are the names under which wrangler keeps database and bucket (wrangler.toml).
      d1Databases: { DB: 'DB' },
      r2Buckets: { BUCKET: 'coursejudge' },
      resourcePersistencePath: join(persistTo, 'v3'),
    }),
  )
  const database = await miniflare.getD1Database('DB')
  return {
    name: stateDir,
    async query(sql, params = []) {
      const { results } = await database
        .prepare(sql)
        .bind(...params)
        .all()
      return results
    },
    async batch(statements) {
      await database.batch(
        statements.map(({ sql, params = [] }) => database.prepare(sql).bind(...params)),
      )
    },
    bucket: openBucket(await miniflare.getR2Bucket('BUCKET')),
    async close() {
      await miniflare.dispose()
      release()
    },
  }
}
