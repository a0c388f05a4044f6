/** An installation on Cloudflare, through its REST API. */
import { openAsBlob } from 'node:fs'
import * as z from 'zod'
import { findAccount, findResources, requireJurisdiction } from '../deploy/account.ts'
import { orNull, type CloudflareContent } from '../deploy/cloudflare.ts'
import { openDatabase } from '../deploy/database.ts'
import type { Names } from '../deploy/names.ts'
import type { Settings } from '../deploy/settings-file.ts'
import { PlainError } from '../plain-error.ts'
import type { Bucket, Installation } from './installation.ts'

/** The number of objects on a page of the list. */
const PAGE = 1_000
/** The largest object that the API takes. */
const LARGEST_BYTES = 300 * 1024 ** 2

const objects = z.array(z.object({ key: z.string(), size: z.int(), etag: z.string() }))

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
  settings: Settings,
  names: Names,
): Promise<Installation> {
  const account = await findAccount(cloudflare, settings.CLOUDFLARE_ACCOUNT_ID)
  const existing = await findResources(cloudflare, account, names)
  requireJurisdiction(names, existing, settings)
  const { database, bucket } = existing
  if (!database || !bucket)
    throw new PlainError(
      `There is no installation ${names.worker} with a database and a bucket: npm run deploy makes one.`,
    )
  return {
    name: names.worker,
    ...openDatabase(cloudflare, account, database.uuid),
    bucket: openBucket(cloudflare, `/accounts/${account}/r2/buckets/${names.bucket}`),
    async close() {},
  }
}
