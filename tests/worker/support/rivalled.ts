/** Changes that somebody else makes between what a change reads and what it writes. */
import { env } from 'cloudflare:workers'
import { realPart } from '../../../scripts/bench/worker/recording-d1.ts'
import { openDb, type Db } from '../../../worker/db/client.ts'
import type { Person } from './world.ts'

/** A database where somebody else comes first, before each of the first writes. */
export function rivalled(times: number, rival: () => Promise<unknown>): Db {
  let batches = 0
  const binding = new Proxy(env.DB, {
    get(target, key) {
      if (key !== 'batch') return realPart(target, key)
      return async (statements: D1PreparedStatement[]) => {
        batches += 1
        const isWrite = batches % 2 === 0
        if (isWrite && batches <= times * 2) await rival()
        return target.batch(statements)
      }
    },
  })
  return openDb(binding)
}

/** A person as the Worker's functions know the caller. */
export function actorOf({ id, username }: Pick<Person, 'id' | 'username'>) {
  const who = { id, username, displayedName: '', role: 1, bio: '' } as const
  return { ...who, email: '', emailConfirmedAt: 1, confirmDueAt: null }
}
