/** Refuses names that another installation, or another program, already uses. */
import * as z from 'zod'
import { PlainError } from '../plain-error.ts'
import type { ExistingResources, Queue } from './account.ts'
import { orNull, type Cloudflare } from './cloudflare.ts'
import { installationId, openDatabase } from './database.ts'
import type { Names } from './names.ts'

/** The object of the bucket that holds the installation's id; the Worker writes it. */
export const ID_KEY = 'installation-id'

/** @throws PlainError when a Worker with another name sends to the queue or reads it */
function requireOwnQueue(existing: Queue | null, names: Names): void {
  const other = [...(existing?.producers ?? []), ...(existing?.consumers ?? [])]
    .map(({ script, service }) => script ?? service)
    .find((worker) => worker !== undefined && worker !== names.worker)
  if (existing && other !== undefined)
    throw new PlainError(
      `The queue ${existing.queue_name} belongs to the Worker ${other}: deploy under another name with --env NAME.`,
    )
}

/** @throws PlainError that names the parts which belong to another installation */
export async function requireOwn(
  cloudflare: Cloudflare,
  account: string,
  names: Names,
  existing: ExistingResources,
): Promise<void> {
  for (const queue of [existing.judgeQueue, existing.stepQueue, existing.deadLetterQueue])
    requireOwnQueue(queue, names)
  const ownId = existing.database
    ? await installationId(openDatabase(cloudflare, account, existing.database.uuid).query)
    : null
  if (!existing.bucket) return
  const path = `/accounts/${account}/r2/buckets/${names.bucket}/objects/${ID_KEY}`
  const bucketId = await orNull(cloudflare.call('GET', path, z.string()))
  if (bucketId !== null && bucketId !== ownId)
    throw new PlainError(
      `The bucket ${names.bucket} belongs to another installation (${bucketId}; the database ${names.database} says ${ownId ?? 'nothing'}): bring back the bucket’s database, or deploy under another name with --env NAME.`,
    )
}
