/** What staff set for people in a homework: dates of their own, and points. */
import * as z from 'zod'
import {
  epochSeconds,
  intBetween,
  listOf,
  listOfUsernames,
  problemId,
  userInfo,
  username,
} from '#contract/fields'
import { ownDates } from '#contract/homework-dates'
import { COUNT_LIMITS, HOMEWORK_LIMITS, QUOTA_MAX, QUOTA_UNLIMITED } from '#contract/limits'

/** Points with at most two decimals. */
const points = z
  .number()
  .min(0)
  .max(HOMEWORK_LIMITS.points)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6)

/** Points that staff gave. `by`: a username; null if the account is gone. */
export const givenPoints = z.object({
  points: z.number(),
  comment: z.string(),
  by: z.string().nullable(),
  at: epochSeconds,
})
export type GivenPoints = z.infer<typeof givenPoints>

/** The fields of an override; null: as the homework has it. `latePercent` takes the place of the late rule. */
const fields = {
  opens: epochSeconds.nullable(),
  due: epochSeconds.nullable(),
  closes: epochSeconds.nullable(),
  graceMinutes: intBetween(0, HOMEWORK_LIMITS.graceMinutes).nullable(),
  latePercent: intBetween(0, 100).nullable(),
  quota: intBetween(QUOTA_UNLIMITED, QUOTA_MAX).nullable(),
  excused: z.boolean().nullable(),
}

/** An override as it stands, with its reason, who set it and when. */
export const homeworkOverride = z.object({
  ...fields,
  reason: z.string(),
  by: z.string().nullable(),
  at: epochSeconds,
})
export type HomeworkOverride = z.infer<typeof homeworkOverride>

/**
 * One change of dates: for a student, for everybody with a label, or with both null for all. A student's field stands before that of
 * labels; of several labels the most generous field counts. An absent field stays as it is.
 */
const overrideChange = z
  .object({ ...fields, reason: z.string().max(HOMEWORK_LIMITS.reason) })
  .partial()
  .extend({ username: username.nullable(), label: z.int().min(1).nullish() })
  .refine((change) => change.username === null || change.label == null, { path: ['label'] })
export type OverrideChange = z.infer<typeof overrideChange>

/** PUT /homework/{id}/overrides: all or none of the changes. An override whose fields are all null is removed. */
export const overrideChanges = z.object({
  overrides: listOf(overrideChange, HOMEWORK_LIMITS.overrides, 1),
})

/** Answer of PUT and DELETE: how many higher marks the people of the change keep until staff confirm the lower ones. */
export const overridesChanged = z.object({ kept: z.int() })

/** DELETE /homework/{id}/overrides: the students and labels whose overrides are removed, and null for that of all. */
export const overrideRemoval = z.object({
  usernames: listOf(username.nullable(), HOMEWORK_LIMITS.overrides).default([]),
  labels: listOf(z.int().min(1), COUNT_LIMITS.labels).default([]),
})

/**
 * GET /homework/{id}/dates: everybody's dates. `forAll`: the override for all. `labels`: those of labels, by id. `people`: the students of the course by username, each with
 * the override and the dates that follow. `why` of `own` is the override's reason. `kept`: problems with a kept mark.
 */
export const homeworkDatesTable = z.object({
  forAll: homeworkOverride.nullable(),
  labels: z.array(z.object({ label: z.int(), override: homeworkOverride })),
  people: z.array(
    z.object({
      user: userInfo,
      override: homeworkOverride.nullable(),
      own: ownDates,
      kept: z.int(),
    }),
  ),
})
export type HomeworkDatesTable = z.infer<typeof homeworkDatesTable>

/** GET /homework/{id}/kept-marks: marks that a change of dates would lower. `kept` and `now` are points. */
export const keptMarks = z.array(
  z.object({
    user: userInfo,
    problemId,
    problemName: z.string(),
    kept: z.number(),
    now: z.number(),
  }),
)
export type KeptMark = z.infer<typeof keptMarks>[number]

/** POST /homework/{id}/kept-marks/confirm: the students whose lower marks come into force. */
export const keptMarksConfirmation = z.object({
  usernames: listOfUsernames(HOMEWORK_LIMITS.overrides, 1),
})

/**
 * PUT /homework/{id}/points: points for a student's problem in place of the computed ones, or with `problemId` null points for the
 * homework as a whole, which are added. `points` null takes them back.
 */
export const pointsForm = z.object({
  username,
  problemId: problemId.nullable(),
  points: points.nullable(),
  comment: z.string().max(HOMEWORK_LIMITS.comment).default(''),
})
export type PointsForm = z.infer<typeof pointsForm>
