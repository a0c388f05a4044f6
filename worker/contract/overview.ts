/** What waits for staff. */
import * as z from 'zod'
import { epochSeconds, hexId } from '#contract/fields'
import { submissionPage } from '#contract/submissions'

/** The most homeworks and submissions that the overview has. */
export const OVERVIEW_LIMITS = { homeworks: 5, submissions: 5 } as const

/**
 * GET /overview: what waits in the courses where the caller's standing lets them read all submissions. `courses`: by name, with
 * their open questions and Judge Errors that were not cancelled, each counted up to `COUNT_LIMITS`. `homeworks`: those that run by
 * the dates for all, the earliest `due` first, with the number of students who have handed in since it opened for all. `submissions`:
 * everybody's, newest first.
 */
export const overview = z.object({
  courses: z.array(z.object({ course: z.string(), openQuestions: z.int(), judgeErrors: z.int() })),
  homeworks: z.array(
    z.object({
      id: hexId,
      name: z.string(),
      course: z.string(),
      end: epochSeconds,
      due: epochSeconds,
      close: epochSeconds,
      handedIn: z.int(),
      students: z.int(),
    }),
  ),
  submissions: submissionPage.shape.submissions,
})
export type Overview = z.infer<typeof overview>
