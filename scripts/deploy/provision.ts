/** Makes what an installation lacks in its account: database, bucket, queues and the consumer of the judge hosts. */
import * as z from 'zod'
import type { ExistingResources, Queue } from './account.ts'
import type { Cloudflare } from './cloudflare.ts'
import type { Names } from './names.ts'
import type { Settings } from './settings-file.ts'

/** Ids of what an installation has. */
interface Resources {
  databaseId: string
  judgeQueueId: string
}

/**
 * Makes what is missing.
 * @param log takes a line for each thing that is made
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

  // First, because it alone tells the jurisdiction to the next run.
  const databaseId = await databaseOf()
  if (!existing.bucket) {
    log(`Making the bucket ${names.bucket}`)
    await cloudflare.call('POST', `${below}/r2/buckets`, z.unknown(), { name: names.bucket })
  }
  // Consumers name the dead-letter queue, so it comes first.
  await queueOf(existing.deadLetterQueue, names.deadLetterQueue)
  await queueOf(existing.stepQueue, names.stepQueue)
  const judgeQueueId = await queueOf(existing.judgeQueue, names.judgeQueue)
  if (!existing.judgeQueue?.consumers.some(({ type }) => type === 'http_pull')) {
    log(`Letting judge hosts read the queue ${names.judgeQueue}`)
    await cloudflare.call('POST', `${below}/queues/${judgeQueueId}/consumers`, z.unknown(), {
      type: 'http_pull',
      dead_letter_queue: names.deadLetterQueue,
      // How many, and for how long, a judge host says with each pull.
      settings: {},
    })
  }
  return { databaseId, judgeQueueId }
}
