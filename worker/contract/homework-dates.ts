/**
 * The dates of a homework for one person, and what a submission counts by them. The view `homework_dates`
 * (`migrations/0002_labels.sql`) says `datesOf` in SQL.
 */
import * as z from 'zod'
import { epochSeconds, intBetween, listOf } from '#contract/fields'
import { HOMEWORK_LIMITS, QUOTA_UNLIMITED } from '#contract/limits'

const HOUR_SECONDS = 3_600

const percent = intBetween(0, 100)

/**
 * What late work counts.
 * - `none`: all of its score
 * - `steps`: `percent` of its score when it is more than `afterHours` late; the last such step counts
 * - `units`: each unit begun takes `percent`, down to `floor`. `multiply`: the score times what is left. `subtract`: the score minus
 *   what was taken. `cap`: at most what is left.
 */
export const lateRule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('steps'),
    steps: listOf(
      z.object({ afterHours: intBetween(0, HOMEWORK_LIMITS.lateHours), percent }),
      HOMEWORK_LIMITS.lateSteps,
      1,
    ),
  }),
  z.object({
    kind: z.literal('units'),
    unitMinutes: intBetween(1, HOMEWORK_LIMITS.lateHours * 60),
    percent: intBetween(1, 100),
    how: z.enum(['multiply', 'subtract', 'cap']),
    floor: percent.default(0),
  }),
])
export type LateRule = z.infer<typeof lateRule>

/** Which submission counts: the one worth most, or the last one. */
export const counts = z.enum(['best', 'last'])
export type Counts = z.infer<typeof counts>

/** The dates of a homework. `close` null: it closes when it is due. Epoch seconds. */
export interface HomeworkDates {
  start: number
  end: number
  close: number | null
  graceMinutes: number
}

/** What staff have set for a person, a label or all; null: nothing. `latePercent` takes the place of the late rule. */
export interface OverrideFields {
  opens: number | null
  due: number | null
  closes: number | null
  graceMinutes: number | null
  latePercent: number | null
  quota: number | null
  excused: boolean | null
}

/**
 * A homework's dates for one person; each belongs to the time before it. Until `due`, and for `graceMinutes` more, a submission counts in
 * full; until `closes` it counts by the late rule, or `latePercent` if that is a number. `why`: the reason that staff gave for dates of
 * one's own or of all; null where the dates are the homework's.
 */
export const ownDates = z.object({
  opens: epochSeconds,
  due: epochSeconds,
  closes: epochSeconds,
  graceMinutes: z.int(),
  latePercent: z.int().nullable(),
  excused: z.boolean(),
  why: z.string().nullable(),
})
export type OwnDates = z.infer<typeof ownDates>

/** The dates and rules for one person, without the reason. `quota` null: that of the problem. */
export type Dates = Omit<OwnDates, 'why'> & { quota: number | null }

/** The later of two times; null only if both are. */
function later(left: number | null | undefined, right: number | null | undefined): number | null {
  if (left == null || right == null) return left ?? right ?? null
  return Math.max(left, right)
}

/**
 * What labels give a person who has several: of each field the most generous value, the earliest opening and the most of the others.
 * Null without labels.
 */
export function mostGenerous(overrides: readonly OverrideFields[]): OverrideFields | null {
  if (overrides.length === 0) return null
  const valuesOf = <Name extends keyof OverrideFields>(name: Name) =>
    overrides.map((each) => each[name]).filter((value) => value !== null)
  const most = (values: number[]) => (values.length > 0 ? Math.max(...values) : null)
  const opens = valuesOf('opens')
  const quotas = valuesOf('quota')
  const excused = valuesOf('excused')
  return {
    opens: opens.length > 0 ? Math.min(...opens) : null,
    due: most(valuesOf('due')),
    closes: most(valuesOf('closes')),
    graceMinutes: most(valuesOf('graceMinutes')),
    latePercent: most(valuesOf('latePercent')),
    quota: quotas.includes(QUOTA_UNLIMITED) ? QUOTA_UNLIMITED : most(quotas),
    excused: excused.length > 0 ? excused.includes(true) : null,
  }
}

/**
 * A homework's dates for one person. A field of the person stands before that of labels, that before the one for all, and that before the
 * homework's. Of two due times or two closing times the later one counts, so that more time for all shortens nobody's time.
 * @param forAll what staff have set for everybody
 * @param person what staff have set for this person
 * @param labels what they have set for the person's labels (`mostGenerous`)
 */
export function datesOf(
  homework: HomeworkDates,
  forAll: OverrideFields | null | undefined,
  person: OverrideFields | null | undefined,
  labels?: OverrideFields | null,
): Dates {
  const due = later(person?.due ?? labels?.due, forAll?.due) ?? homework.end
  const graceMinutes =
    person?.graceMinutes ?? labels?.graceMinutes ?? forAll?.graceMinutes ?? homework.graceMinutes
  const closes = later(person?.closes ?? labels?.closes, forAll?.closes) ?? homework.close ?? due
  return {
    opens: person?.opens ?? labels?.opens ?? forAll?.opens ?? homework.start,
    due,
    closes: Math.max(closes, due + graceMinutes * 60),
    graceMinutes,
    latePercent: person?.latePercent ?? labels?.latePercent ?? forAll?.latePercent ?? null,
    quota: person?.quota ?? labels?.quota ?? forAll?.quota ?? null,
    excused: person?.excused ?? labels?.excused ?? forAll?.excused ?? false,
  }
}

/** When a submission came, by a person's dates. Outside `opens` to `closes` it counts for nothing. */
export type Arrival = 'early' | 'inTime' | 'late' | 'closed'

/** When a submission came. @param at epoch seconds */
export function arrivalOf(
  at: number,
  dates: Pick<Dates, 'opens' | 'due' | 'closes' | 'graceMinutes'>,
): Arrival {
  if (at < dates.opens) return 'early'
  if (at <= dates.due + dates.graceMinutes * 60) return 'inTime'
  return at <= dates.closes ? 'late' : 'closed'
}

/**
 * What the late rule leaves of 100 %. `units`: the units begun, for a rule by units.
 * @param lateSeconds seconds after the due time
 * @param latePercent see `ownDates`
 */
export function percentLeft(
  rule: LateRule,
  latePercent: number | null,
  lateSeconds: number,
): { left: number; units: number | null } {
  if (latePercent !== null) return { left: latePercent, units: null }
  if (rule.kind === 'none') return { left: 100, units: null }
  if (rule.kind === 'steps') {
    const step = rule.steps.findLast(({ afterHours }) => lateSeconds > afterHours * HOUR_SECONDS)
    return { left: step?.percent ?? 100, units: null }
  }
  const units = Math.ceil(lateSeconds / (rule.unitMinutes * 60))
  return { left: Math.max(rule.floor, 100 - units * rule.percent), units }
}

/** A judged submission. `at`: when its code was accepted, epoch seconds. */
export interface Scored {
  id: string
  at: number
  score: number
}

/** How a score changes by what the late rule leaves. @param latePercent see `ownDates` */
export function deductionOf(
  rule: LateRule,
  latePercent: number | null,
): 'multiply' | 'subtract' | 'cap' {
  return latePercent !== null || rule.kind !== 'units' ? 'multiply' : rule.how
}

/**
 * What the late rule makes of a score, as a calculation without its result.
 * @param left as `percentLeft` gives it
 * @param how as `deductionOf` gives it
 */
export function lateStep(score: number, left: number, how: ReturnType<typeof deductionOf>): string {
  const off = 100 - left
  if (how === 'subtract') return score < off ? `max(0, ${score} − ${off})` : `${score} − ${off}`
  return how === 'cap' ? `min(${score}, ${left})` : `${score} × ${left / 100}`
}

/**
 * What a submission counts before the problem's points, in hundredths of a point of 100: 0 to 10,000. Null if it came before
 * opening or after closing.
 */
export function valueOf(
  { at, score }: Omit<Scored, 'id'>,
  dates: Dates,
  rule: LateRule,
): number | null {
  const arrival = arrivalOf(at, dates)
  if (arrival === 'early' || arrival === 'closed') return null
  if (arrival === 'inTime') return score * 100
  const { left } = percentLeft(rule, dates.latePercent, at - dates.due)
  const how = deductionOf(rule, dates.latePercent)
  if (how === 'subtract') return Math.max(0, score - (100 - left)) * 100
  if (how === 'cap') return Math.min(score, left) * 100
  return score * left
}

/** Orders submissions by time; equal times by id. */
function byTime(one: Scored, other: Scored): number {
  return one.at - other.at || (one.id < other.id ? -1 : 1)
}

/** The submission that counts, and its `valueOf`; null if none does. Of several best ones the earliest counts. */
export function countedOf(
  submissions: readonly Scored[],
  dates: Dates,
  { lateRule, counts }: { lateRule: LateRule; counts: Counts },
): { id: string; value: number } | null {
  const valued = submissions.toSorted(byTime).flatMap((submission) => {
    const value = valueOf(submission, dates, lateRule)
    return value === null ? [] : [{ id: submission.id, value }]
  })
  if (counts === 'last') return valued.at(-1) ?? null
  return valued.reduce<{ id: string; value: number } | null>(
    (best, each) => (best === null || each.value > best.value ? each : best),
    null,
  )
}

/**
 * The points for what a submission counts, rounded to hundredths of a point, half up.
 * @param value as `valueOf` gives it
 * @param points of the problem in the homework
 */
export function pointsFor(value: number, points: number): number {
  return Math.floor((value * points + 50) / 100) / 100
}

/** The sum of points that have two decimals. */
export function sumOfPoints(points: readonly number[]): number {
  return points.reduce((sum, each) => sum + Math.round(each * 100), 0) / 100
}
