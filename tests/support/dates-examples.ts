/** Worked examples of late policies: `tests/fixtures/dates`, one file for each policy. A mark is worked by hand, and `working` says how. */
/// <reference types="vite/types/importMeta.d.ts" />
import * as z from 'zod'
import {
  counts,
  lateRule,
  pointsFor,
  type HomeworkDates,
  type OverrideFields,
  type Scored,
} from '#contract/homework-dates'
import { STATUS, STATUS_NAMES } from '#contract/verdicts'
import { instantOf } from '#contract/wall-time'

/** What a clock in the homework's time zone shows; with an offset for an hour that comes twice. */
const clockTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d)?$/)

const homework = z.strictObject({
  timeZone: z.string(),
  opens: clockTime,
  due: clockTime,
  closes: clockTime.nullable().default(null),
  graceMinutes: z.int().default(0),
  lateRule: lateRule.default({ kind: 'none' }),
  counts: counts.default('best'),
  points: z.int().default(100),
})

const override = z.strictObject({
  opens: clockTime.nullable().default(null),
  due: clockTime.nullable().default(null),
  closes: clockTime.nullable().default(null),
  graceMinutes: z.int().nullable().default(null),
  latePercent: z.int().nullable().default(null),
  quota: z.int().nullable().default(null),
  excused: z.boolean().nullable().default(null),
})

/** `late`: hours, minutes and seconds after the homework is due. */
const submission = z.strictObject({
  late: z
    .string()
    .regex(/^-?\d+:\d\d:\d\d$/)
    .optional(),
  at: clockTime.optional(),
  score: z.int().min(0).max(100),
  verdict: z.enum(Object.values(STATUS_NAMES)).default('Wrong Answer'),
})

/** `homework`: what differs from the file's. `kept`: the score that a kept mark stands for. */
const file = z.strictObject({
  policy: z.string(),
  rule: z.string(),
  homework: z.record(z.string(), z.unknown()),
  examples: z.array(
    z.strictObject({
      name: z.string(),
      homework: z.record(z.string(), z.unknown()).default({}),
      forAll: override.nullable().default(null),
      person: override.nullable().default(null),
      submissions: z.array(submission),
      kept: z.int().nullable().default(null),
      mark: z.number().nullable(),
      working: z.string(),
    }),
  ),
})

/** An example with instants in epoch seconds. `submissions` come with their status, also those that no rule counts. */
export interface DatesExample {
  title: string
  homework: HomeworkDates & Pick<z.infer<typeof homework>, 'lateRule' | 'counts' | 'points'>
  forAll: OverrideFields | null
  person: OverrideFields | null
  submissions: (Scored & { status: number })[]
  kept: number | null
  mark: number | null
}

/** The instant of a clock time. */
function readTime(text: string, timeZone: string): number {
  return /[+-]\d\d:\d\d$/.test(text)
    ? Date.parse(text) / 1000
    : instantOf(Date.parse(`${text}Z`) / 1000, timeZone)
}

/** The seconds of `late`. */
function readLate(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace('-', '').split(':').map(Number)
  return (text.startsWith('-') ? -1 : 1) * (hours * 3_600 + minutes * 60 + seconds)
}

/** The id of the submission at a place of a list; later ones have greater ids. */
export function idAt(index: number): string {
  return index.toString(16).padStart(24, '0')
}

/** The examples of one file. */
function readFile(content: unknown): DatesExample[] {
  const { policy, homework: shared, examples } = file.parse(content)
  return examples.map((example) => {
    const { timeZone, opens, due, closes, ...rules } = homework.parse({
      ...shared,
      ...example.homework,
    })
    const at = (text: string) => readTime(text, timeZone)
    const maybeAt = (text: string | null) => (text === null ? null : at(text))
    const own = (fields: z.infer<typeof override> | null) =>
      fields && {
        ...fields,
        opens: maybeAt(fields.opens),
        due: maybeAt(fields.due),
        closes: maybeAt(fields.closes),
      }
    return {
      title: `${policy}: ${example.name}`,
      homework: { ...rules, start: at(opens), end: at(due), close: maybeAt(closes) },
      forAll: own(example.forAll),
      person: own(example.person),
      submissions: example.submissions.map((each, index) => ({
        id: idAt(index),
        at: each.at === undefined ? at(due) + readLate(each.late ?? '') : at(each.at),
        score: each.score,
        status: Number(Object.entries(STATUS_NAMES).find(([, name]) => name === each.verdict)?.[0]),
      })),
      kept: example.kept === null ? null : example.kept * 100,
      mark: example.mark,
    }
  })
}

/** All examples. */
export const DATES_EXAMPLES: readonly DatesExample[] = Object.values(
  import.meta.glob('../fixtures/dates/*.json', { eager: true, import: 'default' }),
).flatMap(readFile)

/** Whether a submission is judged, and its verdict is not the judge's own fault. */
export function isJudged({ status }: { status: number }): boolean {
  return status >= 0 && status !== STATUS.JE
}

/**
 * The mark of an example.
 * @param value of the submission that counts, as `valueOf` gives it; null if none does
 */
export function markOf(
  { kept, homework: { points } }: DatesExample,
  value: number | null,
  isExcused: boolean,
): number | null {
  const values = [value, kept].filter((each) => each !== null)
  return isExcused || values.length === 0 ? null : pointsFor(Math.max(...values), points)
}
