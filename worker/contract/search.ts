/** The search for problems, homeworks and people of all the caller's courses. */
import * as z from 'zod'
import { hexId, userInfo } from '#contract/fields'
import { TEXT_LIMITS } from '#contract/limits'
import { problemName } from '#contract/problems'

/** The most results of each kind that a search finds. */
export const MOST_FOUND = 8

/** Query of GET /search: words that all stand in a name, in any order. */
export const searchParams = z.object({ text: z.string().trim().min(1).max(TEXT_LIMITS.search) })

/**
 * GET /search. A word may also match a problem's id as `#10`, a username or, beside another word, the name of the course. `course` is
 * that name. People are students and assistants of the courses where the caller reads all submissions.
 */
export const found = z.object({
  problems: z.array(problemName.extend({ course: z.string() })),
  homeworks: z.array(z.object({ id: hexId, name: z.string(), course: z.string() })),
  people: z.array(userInfo.extend({ course: z.string() })),
})
export type Found = z.infer<typeof found>
