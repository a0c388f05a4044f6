/** Counts what Cloudflare bills for a call or a sweep: rows, and operations of the bucket and of the queues. */
import type { Env } from '../../../worker/env.ts'
import { realPart, recordingD1, type Trip } from './recording-d1.ts'

/** What was used so far. R2 bills operations as Class A or B; deleting is free. */
interface Uses {
  calls: number
  rowsRead: number
  rowsWritten: number
  classA: number
  classB: number
  queueOperations: number
}

const CLASSES: Readonly<Record<string, 'classA' | 'classB'>> = {
  put: 'classA',
  list: 'classA',
  createMultipartUpload: 'classA',
  get: 'classB',
  head: 'classB',
}
/** The queue bills three operations for a message: it is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3

const trips: Trip[][] = []
let uses = { calls: 0, classA: 0, classB: 0, queueOperations: 0 }

/** An object whose methods are counted before they are called. */
function counting<Target extends object>(
  target: Target,
  count: (method: string, args: unknown[]) => void,
): Target {
  return new Proxy(target, {
    get(real, key) {
      const part = realPart(real, key)
      if (typeof part !== 'function') return part
      return (...args: unknown[]) => {
        count(String(key), args)
        return part(...args)
      }
    },
  })
}

const countQueue = (method: string, [messages]: unknown[]) => {
  const count = method === 'sendBatch' && Array.isArray(messages) ? messages.length : 1
  uses.queueOperations += count * OPERATIONS_PER_MESSAGE
}

/** The bindings for one call, with their uses counted. */
export function withUses(env: Env): Env {
  uses.calls += 1
  const { db, trips: own } = recordingD1(env.DB)
  trips.push(own)
  return {
    ...env,
    DB: db,
    BUCKET: counting(env.BUCKET, (method) => {
      const kind = CLASSES[method]
      if (kind) uses[kind] += 1
    }),
    JUDGE_QUEUE: counting(env.JUDGE_QUEUE, countQueue),
    STEP_QUEUE: counting(env.STEP_QUEUE, countQueue),
  }
}

/** What was used since the last call of this function. */
export function takeUses(): Uses {
  const all = trips.splice(0).flat()
  const total = (key: 'rowsRead' | 'rowsWritten') => all.reduce((sum, trip) => sum + trip[key], 0)
  const taken = { ...uses, rowsRead: total('rowsRead'), rowsWritten: total('rowsWritten') }
  uses = { calls: 0, classA: 0, classB: 0, queueOperations: 0 }
  return taken
}
