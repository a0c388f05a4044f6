/** Dates of homeworks as answers show them, and overrides as rows. */
import { runSql } from './sql.ts'
import type { Person } from './world.ts'

/** One's own dates in a homework for which nobody set any. */
export function plainOwn({ start, end }: { start: number; end: number }) {
  return {
    opens: start,
    due: end,
    closes: end,
    graceMinutes: 0,
    latePercent: null,
    excused: false,
    why: null,
  }
}

/** The fields of a homework that was made without a rule for late work, and its marks. @param sums by username */
export function plainRules(
  times: { start: number; end: number },
  sums: Readonly<Record<string, number>>,
) {
  const marks = Object.entries(sums).map(([name, sum]) => [
    name,
    { sum, excused: false, given: null, lateDays: null },
  ])
  return {
    close: null,
    graceMinutes: 0,
    lateRule: { kind: 'none' },
    counts: null,
    courseCounts: 'best',
    lateDays: null,
    own: plainOwn(times),
    marks: Object.fromEntries(marks),
  }
}

/** The columns of an override that a test sets. */
interface OverrideColumns {
  opens?: number
  due?: number
  closes?: number
  quota?: number
  excused?: boolean
  reason?: string
}

/** Stores an override for a person, or with null for all, and raises the homework's version as the call does. */
export async function insertOverride(
  homeworkId: string,
  person: Person | null,
  setter: Person,
  { opens, due, closes, quota, excused, reason = '' }: OverrideColumns,
): Promise<void> {
  await runSql`insert into homework_overrides
    (homework_id, user_id, opens, due, closes, quota, excused, reason, setter_id, set_at)
    values (${homeworkId}, ${person?.id ?? null}, ${opens ?? null}, ${due ?? null}, ${closes ?? null},
      ${quota ?? null}, ${excused ?? null}, ${reason}, ${setter.id}, 1)`
  await runSql`update homeworks set version = version + 1 where id = ${homeworkId}`
}
