/** The judge hosts that take jobs, and how fast they work. */
import { sql, type Placeholder, type SQL } from 'drizzle-orm'
import { JUDGING } from '#contract/limits'
import { runners } from './schema.ts'

/** Seconds that a job is assumed to take while no host has finished one. */
export const JOB_SECONDS_GUESS = 2

/** The condition that a host is alive and takes jobs. @param now epoch seconds */
export function takesJobs(now: number | Placeholder): SQL {
  return sql`${runners.heartbeatAt} > ${now} - ${sql.raw(String(JUDGING.runnerAliveSeconds))} and ${runners.state} = 'active'`
}

/** The throughput of all hosts together. `jobsPerSecond`: with all slots at work, null without any host. `free`: slots without a job. */
export interface Throughput {
  slots: number
  free: number
  jobsPerSecond: number | null
}

/** The throughput as a JSON text; it reads one row for each host. @param now epoch seconds */
export function selectThroughput(now: number | Placeholder): SQL {
  const slots = sql`min(${runners.slots}, ${runners.slotLimit})`
  // Even a job that takes no time counts as a tenth of a second.
  const seconds = sql`max(0.1, coalesce(${runners.jobSeconds}, ${sql.raw(JOB_SECONDS_GUESS.toFixed(1))}))`
  return sql`(select json_object('slots', coalesce(sum(${slots}), 0),
      'free', coalesce(sum(min(${slots}, ${runners.free})), 0), 'jobsPerSecond', sum(${slots} / ${seconds}))
    from ${runners} where ${takesJobs(now)})`
}

/**
 * Seconds until the job at a position of the queue has its verdict, if all jobs take as long as recent ones.
 * @param position 1 is next
 * @returns null when no host judges
 */
export function estimateSeconds(
  position: number,
  { slots, free, jobsPerSecond }: Throughput,
): number | null {
  if (jobsPerSecond === null || jobsPerSecond <= 0) return null
  const jobSeconds = slots / jobsPerSecond
  return Math.ceil(Math.max(0, position - free) / jobsPerSecond + jobSeconds)
}
