/** The figures of GET /metrics, in one batch, with the cost of reading them. */
import { desc, sql } from 'drizzle-orm'
import type { Alarm } from '#contract/installation/alarms'
import type { Db } from '../../db/client.ts'
import { judgements, runners, vitals, type Priority } from '../../db/schema.ts'
import { selectAlarms } from '../alarms/queries.ts'

/** The most open jobs that are counted, so that a scrape's cost is bounded. */
const MOST_JOBS = 10_000

/** Open jobs of one priority and state. `oldestAt`: when the first of them was queued; epoch seconds. */
interface OpenJobs {
  priority: Priority
  state: 'queued' | 'leased'
  jobs: number
  oldestAt: number
}

/** Reads open jobs in their index, up to a bound, all hosts (at most `RUNNERS.most`) and a handful of notes. */
export async function readFigures(db: Db) {
  const open = db
    .select({
      priority: judgements.priority,
      state: judgements.state,
      queuedAt: judgements.queuedAt,
    })
    .from(judgements)
    .where(sql`${judgements.finishedAt} is null`)
    .limit(MOST_JOBS)
    .as('open')
  const statements = [
    db
      .select({
        priority: open.priority,
        state: open.state,
        jobs: sql<number>`count(*)`.as('jobs'),
        oldestAt: sql<number>`min(${open.queuedAt})`.as('oldestAt'),
      })
      .from(open)
      .groupBy(open.priority, open.state),
    db
      .select({
        name: runners.name,
        id: runners.id,
        state: runners.state,
        slots: runners.slots,
        free: runners.free,
        heartbeatAt: sql<number>`${runners.heartbeatAt}`.as('heartbeatAt'),
        verdictCounts: sql<string>`${runners.verdictCounts}`.as('verdictCounts'),
        busySeconds: sql<number>`${runners.busySeconds}`.as('busySeconds'),
      })
      .from(runners)
      .orderBy(desc(runners.heartbeatAt)),
    db.select().from(vitals),
    selectAlarms(db),
  ].map((query) => {
    const { sql: text, params } = query.toSQL()
    return db.$client.prepare(text).bind(...params)
  })
  // Not Drizzle's batch, which leaves out the cost that D1 reports.
  const [jobs, hosts, notes, alarms] = await db.$client.batch(statements)
  const all = [jobs, hosts, notes, alarms]
  const named = (notes?.results ?? []) as { name: VitalName; value: number }[]
  return {
    jobs: (jobs?.results ?? []) as OpenJobs[],
    hosts: (hosts?.results ?? []) as HostFigures[],
    alarms: (alarms?.results ?? []) as Alarm[],
    notes: new Map(named.map(({ name, value }) => [name, value])),
    rowsRead: all.reduce((sum, result) => sum + (result?.meta.rows_read ?? 0), 0),
    databaseBytes: notes?.meta.size_after ?? 0,
  }
}
export type Figures = Awaited<ReturnType<typeof readFigures>>
type VitalName = (typeof vitals.$inferSelect)['name']

/** A judge host. `verdictCounts`: JSON, verdicts per status 0–7. */
interface HostFigures {
  id: string
  name: string
  state: 'active' | 'draining'
  slots: number
  free: number
  heartbeatAt: number
  verdictCounts: string
  busySeconds: number
}
