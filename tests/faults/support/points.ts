/** The points of the protocol at which a runner or the judge dies, in the order of a job's life. */
import type { ProxiedCall, Stage } from '../../../scripts/stack/runner-proxy.ts'
import { claimOf, isFull } from './fault-stack.ts'

/** Deaths of a process at each point. */
const ROUNDS = 10

export interface Point {
  what: string
  stage: Stage
  is: (call: ProxiedCall) => boolean
  /** CPU time of each case, ms; a job without progress is too short to die in. */
  ms?: number
  /** Everyday runs include this point. */
  everyday?: true
}

function hasTickets({ data }: ProxiedCall): boolean {
  const found = data as { result?: { messages?: unknown[] } } | null
  return (found?.result?.messages?.length ?? 0) > 0
}

const ALL: Point[] = [
  {
    what: 'with a ticket in hand',
    stage: 'answered',
    is: (call) => call.name === 'pull' && hasTickets(call),
  },
  { what: 'while the job is asked for', stage: 'asked', is: ({ name }) => name === 'claim' },
  {
    what: 'before the runner hears that the job is its own',
    stage: 'answered',
    is: (call) => claimOf(call) !== null,
  },
  {
    what: 'after it has heard it',
    stage: 'heard',
    is: (call) => claimOf(call) !== null,
  },
  { what: 'before the ticket is acknowledged', stage: 'asked', is: ({ name }) => name === 'ack' },
  { what: 'before the test data come', stage: 'asked', is: ({ name }) => name === 'test-data' },
  { what: 'when the test data have come', stage: 'heard', is: ({ name }) => name === 'test-data' },
  {
    what: 'in the first progress report',
    stage: 'asked',
    is: ({ name }) => name === 'progress',
    ms: 300,
  },
  {
    what: 'in the middle of the cases',
    stage: 'asked',
    is: ({ name, body }) => name === 'progress' && Number(body['done']) >= 3,
    ms: 300,
  },
  { what: 'before the result is sent', stage: 'asked', is: ({ name }) => name === 'result' },
  {
    what: 'before the runner hears that the result is stored',
    stage: 'answered',
    is: ({ name }) => name === 'result',
    everyday: true,
  },
  {
    what: 'when it has heard that the result is stored',
    stage: 'heard',
    is: ({ name }) => name === 'result',
  },
]

/** The points of this run, and the deaths at each. */
export const POINTS = ALL.filter(({ everyday }) => isFull || everyday)
export const rounds = isFull ? ROUNDS : 1
