/** An installation on Cloudflare, through its REST API. */
import { openAsBlob } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { findAccount, findResources } from '../deploy/account.ts'
import { orNull, type Cloudflare, type CloudflareContent } from '../deploy/cloudflare.ts'
import { openDatabase } from '../deploy/database.ts'
import type { Names } from '../deploy/names.ts'
import { messageOf, PlainError } from '../plain-error.ts'
import type { Bucket, Installation } from './installation.ts'
import { statementsOf } from './statements.ts'

/** Between looks at an export under way, ms. */
const LOOK_MS = 1_000
/** Looks at one export at most: an hour. */
const MOST_LOOKS = 3_600
/** Objects of a page of the list. */
const PAGE = 1_000
/** The largest object that the API takes. */
const LARGEST_BYTES = 300 * 1024 ** 2

const exported = z.object({
  status: z.string().nullish(),
  at_bookmark: z.string().nullish(),
  error: z.string().nullish(),
  result: z.object({ signed_url: z.string() }).nullish(),
})

const objects = z.array(z.object({ key: z.string(), size: z.int(), etag: z.string() }))

/** Lets D1 write the database as SQL; answers where it lies. The database answers nobody meanwhile. */
async function exportDatabase(cloudflare: Cloudflare, path: string): Promise<string> {
  let bookmark: string | undefined
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const answer = await cloudflare.call('POST', `${path}/export`, exported, {
      output_format: 'polling',
      dump_options: { no_schema: false, no_data: false },
      current_bookmark: bookmark,
    })
    if (answer.result) return answer.result.signed_url
    if (answer.status === 'error')
      throw new PlainError(
        `D1 could not export the database: ${answer.error}; run the command again.`,
      )
    bookmark = answer.at_bookmark ?? bookmark
    await delay(LOOK_MS)
  }
  throw new PlainError('D1 did not export the database within an hour; run the command again.')
}

async function loadSql(url: string, file: string): Promise<void> {
  const answer = await fetch(url).catch((error: unknown) => {
    throw new PlainError(
      `The exported database does not come (${messageOf(error)}); run the command again.`,
    )
  })
  if (!answer.ok || !answer.body)
    throw new PlainError(
      `The exported database does not come (HTTP ${answer.status}); run the command again.`,
    )
  // Rows come before those that they name.
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  database.exec('pragma journal_mode = off; begin')
  for await (const statement of statementsOf(answer.body.pipeThrough(new TextDecoderStream())))
    database.exec(statement)
  database.exec('commit')
  database.close()
}

function openBucket(cloudflare: CloudflareContent, path: string): Bucket {
  const pathOf = (key: string) =>
    `${path}/objects/${key.split('/').map(encodeURIComponent).join('/')}`
  return {
    async *list() {
      let after = ''
      for (;;) {
        const query = new URLSearchParams({
          per_page: String(PAGE),
          ...(after && { start_after: after }),
        })
        const page = await cloudflare.call('GET', `${path}/objects?${query.toString()}`, objects)
        yield* page.map(({ key, size, etag }) => ({ key, sizeBytes: size, etag }))
        after = page.at(-1)?.key ?? ''
        if (page.length < PAGE) return
      }
    },
    async read(key) {
      const answer = await orNull(cloudflare.send('GET', pathOf(key)))
      return answer?.body ?? null
    },
    async write(key, file) {
      const content = await openAsBlob(file, { type: 'application/octet-stream' })
      if (content.size > LARGEST_BYTES)
        throw new PlainError(
          `${key} has more than ${LARGEST_BYTES / 1024 ** 2} MB, which Cloudflare’s API does not take: upload ${file} to the bucket with another tool (developers.cloudflare.com/r2/objects/upload-objects) and run the command again.`,
        )
      await cloudflare.send('PUT', pathOf(key), content)
    },
  }
}

/**
 * Opens an installation by the names of its parts.
 * @throws PlainError when it has not been deployed
 */
export async function openRemote(
  cloudflare: CloudflareContent,
  accountId: string | undefined,
  names: Names,
): Promise<Installation> {
  const account = await findAccount(cloudflare, accountId)
  const { database, bucket } = await findResources(cloudflare, account, names)
  if (!database || !bucket)
    throw new PlainError(
      `There is no installation ${names.worker} with a database and a bucket: npm run deploy makes one.`,
    )
  return {
    name: names.worker,
    query: openDatabase(cloudflare, account, database.uuid),
    bucket: openBucket(cloudflare, `/accounts/${account}/r2/buckets/${names.bucket}`),
    async snapshot(file) {
      const path = `/accounts/${account}/d1/database/${database.uuid}`
      await loadSql(await exportDatabase(cloudflare, path), file)
    },
    async close() {},
  }
}
