/** Queues and their consumers. */
import { field, newId, Refusal, type Account, type Queue } from './account.ts'
import type { Call } from './cloudflare.ts'

function makeQueue(account: Account, name: string): Queue {
  if ([...account.queues.values()].some((queue) => queue.queue_name === name))
    throw new Refusal(409, 11_009, 'The queue name is already taken')
  const queue = { queue_id: newId(), queue_name: name, producers: [], consumers: [] }
  account.queues.set(queue.queue_id, queue)
  return queue
}

function addConsumer(queue: Queue, body: unknown): object {
  const type = String(field(body, 'type'))
  if (queue.consumers.some((consumer) => consumer.type === type))
    throw new Refusal(409, 11_004, 'The queue has a consumer of this type')
  const script = field(body, 'script_name')
  const consumer = {
    ...(body as object),
    consumer_id: newId(),
    type,
    ...(typeof script === 'string' && { script }),
  }
  queue.consumers.push(consumer)
  return consumer
}

export function answerQueues(account: Account, { method, path, query, body }: Call): unknown {
  if (path === '/queues' && method === 'GET') {
    const name = query.get('name')
    return [...account.queues.values()].filter((queue) => !name || queue.queue_name === name)
  }
  if (path === '/queues' && method === 'POST')
    return makeQueue(account, String(field(body, 'queue_name')))
  const [, id = '', consumers, consumer] =
    /^\/queues\/(\w+)(\/consumers)?(?:\/(\w+))?$/.exec(path) ?? []
  if (!id) return undefined
  const queue = account.queues.get(id)
  if (!queue) throw new Refusal(404, 11_003, 'The queue does not exist')
  if (consumers && !consumer && method === 'GET') return queue.consumers
  if (consumers && !consumer && method === 'POST') return addConsumer(queue, body)
  const known = queue.consumers.find(({ consumer_id }) => consumer_id === consumer)
  if (known && method === 'PUT') return Object.assign(known, body)
  if (!consumers && method === 'DELETE') {
    account.queues.delete(id)
    return {}
  }
}
