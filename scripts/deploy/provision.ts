/** Makes the missing parts of an installation in its account: database, bucket, queues and the judge hosts' consumer. */
import * as z from 'zod'
import type { ExistingResources, Queue } from './account.ts'
import type { Cloudflare } from './cloudflare.ts'
import type { Names } from './names.ts'
import type { Settings } from './settings-file.ts'

/** Ids of an installation's parts. */
interface Resources {
  databaseId: string
  judgeQueueId: string
}

/**
 * Makes the missing parts.
 * @param log is given a line for each new part
 */
export async function provision(
  cloudflare: Cloudflare,
  account: string,
  names: Names,
  existing: ExistingResources,
  { JURISDICTION: jurisdiction }: Settings,
  log: (line: string) => void,
): Promise<Resources> {
  const below = `/accounts/${account}`

  async function queueOf(queue: Queue | null, name: string): Promise<string> {
    if (queue) return queue.queue_id
    log(`Making the queue ${name}`)
    const form = z.object({ queue_id: z.string() })
    const made = await cloudflare.call('POST', `${below}/queues`, form, { queue_name: name })
    return made.queue_id
  }

  async function databaseOf(): Promise<string> {
    if (existing.database) return existing.database.uuid
    log(`Making the database ${names.database}`)
    const form = z.object({ uuid: z.string() })
    const made = await cloudflare.call('POST', `${below}/d1/database`, form, {
      name: names.database,
      ...(jurisdiction && { jurisdiction }),
    })
    return made.uuid
  }

  // The database comes first, because only it tells the next run the jurisdiction.
  const databaseId = await databaseOf()
  if (!existing.bucket) {
    log(`Making the bucket ${names.bucket}`)
    await cloudflare.call('POST', `${below}/r2/buckets`, z.unknown(), { name: names.bucket })
  }
  // The dead-letter queue comes before the consumers, which name it.
  await queueOf(existing.deadLetterQueue, names.deadLetterQueue)
  await queueOf(existing.stepQueue, names.stepQueue)
  const judgeQueueId = await queueOf(existing.judgeQueue, names.judgeQueue)
  if (!existing.judgeQueue?.consumers.some(({ type }) => type === 'http_pull')) {
    log(`Letting judge hosts read the queue ${names.judgeQueue}`)
    await cloudflare.call('POST', `${below}/queues/${judgeQueueId}/consumers`, z.unknown(), {
      type: 'http_pull',
      dead_letter_queue: names.deadLetterQueue,
      // Each pull of a judge host says how many messages it takes and how long they stay hidden.
      settings: {},
    })
  }
  return { databaseId, judgeQueueId }
}
