/** Statistics of problems and courses. */
import * as z from 'zod'
import { epochSeconds, hexId, intBetween, problemIdText, userInfo } from '#contract/fields'
import { labelIdText } from '#contract/labels'
import { languageCode } from '#contract/languages/codes'
import { COUNT_LIMITS } from '#contract/limits'

/** A student's best accepted submission. CPU time in ms, memory in KB. */
const rankedSubmission = z.object({
  submissionId: hexId,
  user: userInfo,
  runTime: z.int(),
  memoryUsage: z.int(),
  languageType: languageCode,
  timestamp: epochSeconds,
})
export type RankedSubmission = z.infer<typeof rankedSubmission>

/**
 * GET /problem/{id}/stats, over the present students of the course.
 * - `acUserRatio`: [students with an accepted submission, students]
 * - `triedUserCount`: students who handed in anything
 * - `scoreDistribution`: each student's best score, ascending, for those who have one; `average` and `std` (of the population) are
 *   of these scores
 * - `statusCount`: status code → number of submissions
 * - top 10: one row per student
 */
export const problemStats = z.object({
  acUserRatio: z.tuple([z.int(), z.int()]),
  triedUserCount: z.int(),
  average: z.number(),
  std: z.number(),
  scoreDistribution: z.array(z.int()),
  statusCount: z.record(z.string(), z.int()),
  top10RunTime: z.array(rankedSubmission),
  top10MemoryUsage: z.array(rankedSubmission),
})
export type ProblemStats = z.infer<typeof problemStats>

/** Problem ids separated by commas; duplicates count once. */
const problemIdList = z
  .string()
  .max(COUNT_LIMITS.homeworkProblems * 11)
  .transform((text) => [...new Set(text.split(',').filter((part) => part.trim() !== ''))])
  .pipe(z.array(problemIdText).max(COUNT_LIMITS.homeworkProblems))

const secondsText = z.coerce.number<string>().pipe(intBetween(0, 8_640_000_000_000))

/**
 * Query of GET /course/{name}/scoreboard. Without `pids`, or with an empty list: every problem of the
 * course. `start` and `end` (epoch seconds, both included) limit the time of submissions. `label`: only the students with this label.
 */
export const scoreboardParams = z.object({
  pids: problemIdList.optional(),
  start: secondsText.optional(),
  end: secondsText.optional(),
  label: labelIdText.optional(),
})

/**
 * One student's judged submissions to one problem and their scores; zeros where there are none. `bestId`, only in a time window:
 * the first submission with the best score.
 */
const scoreboardCell = z.object({
  count: z.int(),
  max: z.int(),
  min: z.int(),
  avg: z.number(),
  bestId: hexId.optional(),
})
export type ScoreboardCell = z.infer<typeof scoreboardCell>

/** A row of GET /course/{name}/scoreboard. `sum` adds up the best scores; `avg` is `sum` ÷ the number of problems. */
export const scoreboardRow = z.object({
  user: userInfo,
  sum: z.int(),
  avg: z.number(),
  problems: z.record(z.string(), scoreboardCell),
})
export type ScoreboardRow = z.infer<typeof scoreboardRow>

/** GET /course/summary. `userCount`: teacher, teaching assistants and students. */
export const courseSummary = z.object({
  courseCount: z.int(),
  breakdown: z.array(
    z.object({
      course: z.string(),
      userCount: z.int(),
      homeworkCount: z.int(),
      problemCount: z.int(),
      submissionCount: z.int(),
    }),
  ),
})
export type CourseSummary = z.infer<typeof courseSummary>
