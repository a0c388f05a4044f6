/** A person's own quota for a problem. */
import { sql, type Placeholder, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { QUOTA_UNLIMITED } from '#contract/limits'
import { isHomework } from './homework-status.ts'
import { homeworkDates, homeworkOverrides, homeworkProblems, problems } from './schema.ts'
import type { Asker } from './standing.ts'
import { inlineNumber } from './statements.ts'

const hp = alias(homeworkProblems, 'hp')
const o = alias(homeworkOverrides, 'o')
const d = alias(homeworkDates, 'd')

/**
 * The largest quota that staff set for a person in the homeworks that run for them and contain the problem of the row; without one that
 * of the problem.
 * @param now epoch seconds
 */
export function ownQuota(personId: Asker['id'], now: number | Placeholder): SQL<number> {
  // Few homeworks have overrides with a quota; `cross join` keeps the order, so that only their dates are looked up.
  const unlimited = inlineNumber(QUOTA_UNLIMITED)
  return sql<number>`coalesce((select iif(min(${d.quota}) = ${unlimited}, ${unlimited}, max(${d.quota}))
    from ${homeworkProblems} ${hp}
    cross join ${homeworkOverrides} ${o} on ${o.homeworkId} = ${hp.homeworkId} and ${o.quota} is not null
      and (${o.userId} = ${personId} or ${o.userId} is null)
    cross join ${homeworkDates} ${d} on ${d.homeworkId} = ${hp.homeworkId} and ${d.userId} = ${personId}
    where ${hp.problemId} = ${problems.id} and ${isHomework('running', d, now)}), ${problems.quota})`
}
