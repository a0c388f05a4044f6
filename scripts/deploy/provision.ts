/** Makes what an installation lacks in its account: database, bucket, queues and the consumer of the judge hosts. */
import * as z from 'zod'
import type { Found, Queue } from './account.ts'
import type { Cloudflare } from './cloudflare.ts'
import type { Names } from './names.ts'

/** Ids of what an installation has. */
export interface Resources {
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
  found: Found,
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

  async function databaseId(): Promise<string> {
    if (found.database) return found.database.uuid
    log(`Making the database ${names.database}`)
    const form = z.object({ uuid: z.string() })
    const made = await cloudflare.call('POST', `${below}/d1/database`, form, {
      name: names.database,
    })
    return made.uuid
  }

  if (!found.bucket) {
    log(`Making the bucket ${names.bucket}`)
    await cloudflare.call('POST', `${below}/r2/buckets`, z.unknown(), { name: names.bucket })
  }
  // Consumers name the dead-letter queue, so it comes first.
  await queueOf(found.deadLetterQueue, names.deadLetterQueue)
  await queueOf(found.stepQueue, names.stepQueue)
  const judgeQueueId = await queueOf(found.judgeQueue, names.judgeQueue)
  if (!found.judgeQueue?.consumers.some(({ type }) => type === 'http_pull')) {
    log(`Letting judge hosts read the queue ${names.judgeQueue}`)
    await cloudflare.call('POST', `${below}/queues/${judgeQueueId}/consumers`, z.unknown(), {
      type: 'http_pull',
      dead_letter_queue: names.deadLetterQueue,
      // How many, and for how long, a judge host says with each pull.
      settings: {},
    })
  }
  return { databaseId: await databaseId(), judgeQueueId }
}
