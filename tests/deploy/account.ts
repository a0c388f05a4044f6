/** The contents of a stand-in's account. */
import { DatabaseSync } from 'node:sqlite'

export interface Queue {
  queue_id: string
  queue_name: string
  producers: { type: string; script?: string; service?: string }[]
  consumers: ({ consumer_id: string; type: string; script?: string } & Record<string, unknown>)[]
}

export interface Worker {
  /** Bindings, limits and handlers of the last upload. */
  metadata: { bindings: Binding[] } & Record<string, unknown>
  /** A version that was uploaded and is not deployed yet. */
  version?: Worker['metadata']
  secrets: string[]
  crons: unknown
  isOnWorkersDev: boolean
  /** Tag of the last migration of Durable Objects; `classes` are those that migrations have made. */
  migrationTag: string | undefined
  classes: string[]
}

interface Binding {
  type: string
  name: string
  [key: string]: unknown
}

export interface Account {
  /** The accounts that the token reaches, this one among them. */
  accounts: { id: string; name: string }[]
  /** Ids of the paid plans; `contract` is a plan agreed upon with Cloudflare. */
  plans: string[]
  /** Whether the token has “Account · Billing · Read”; a deploy works without it. */
  mayReadPlans: boolean
  /** The account's name below workers.dev; null until the dashboard has made one. */
  subdomain: string | null
  databases: Map<string, ReturnType<typeof newDatabase>>
  /** Buckets by `bucketKey`; their objects by key. */
  buckets: Map<string, Map<string, string | Uint8Array>>
  /** Keys of objects that were stored in parts. */
  inParts: Set<string>
  queues: Map<string, Queue>
  workers: Map<string, Worker>
  domains: { id: string; hostname: string; service: string }[]
  /** Host names with a DNS record of their own. */
  records: string[]
}

export const ACCOUNT_ID = '0123456789abcdef0123456789abcdef'

/** An account on the paid plan that has nothing yet. */
export function emptyAccount(): Account {
  return {
    accounts: [{ id: ACCOUNT_ID, name: 'University' }],
    plans: ['workers_paid'],
    mayReadPlans: false,
    subdomain: 'university',
    databases: new Map(),
    buckets: new Map(),
    inParts: new Set(),
    queues: new Map(),
    workers: new Map(),
    domains: [],
    records: [],
  }
}

/** A refusal with Cloudflare's code. */
export class Refusal extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

let made = 0

export function newId(): string {
  made += 1
  return made.toString(16).padStart(32, '0')
}

/** D1's documented limits (developers.cloudflare.com/d1/platform/limits), and undocumented ones that it enforces. */
const D1_LIMITS = {
  length: 2_000_000,
  sqlLength: 100_000,
  column: 100,
  exprDepth: 100,
  compoundSelect: 5,
  functionArg: 32,
  likePatternLength: 50,
  variableNumber: 100,
  triggerDepth: 10,
} as const

export function newDatabase(name: string, jurisdiction: string | null = null) {
  return {
    uuid: newId(),
    name,
    jurisdiction,
    sqlite: new DatabaseSync(':memory:', { limits: D1_LIMITS }),
  }
}

/** The key of a bucket. A call finds a bucket only if it names its jurisdiction, too; the name alone means none. */
export function bucketKey(name: string, jurisdiction?: string | null): string {
  return jurisdiction ? `${jurisdiction}:${name}` : name
}

/** A field of a JSON body. */
export function field(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
}
