/** What a mark of a homework was derived from. The same sentences tell it to students, to staff, in files and in the API. */
import * as z from 'zod'
import { epochSeconds, hexId, problemId } from '#contract/fields'

/**
 * How a problem's points came about. All points are hundredths of a point.
 * - `submissionId`: the submission that counts, its number among the person's tries (from 1), when its code came; null when none counts
 * - `lateSeconds`: how late it was, 0 for in time. `left`: the percentage that the late rule leaves; `how`: what the rule does with it
 * - `computed`: its points by the rule. `isKept`: those of before a change of dates that staff have not confirmed
 * - `hundredths`: what the problem counts: `computed`, or the points that staff gave (`isGiven`)
 */
const problemDerivation = z.object({
  problemId,
  points: z.int(),
  submissionId: hexId.nullable(),
  nth: z.int().nullable(),
  at: epochSeconds.nullable(),
  score: z.int().nullable(),
  lateSeconds: z.int(),
  left: z.int(),
  how: z.enum(['multiply', 'subtract', 'cap']),
  computed: z.int().nullable(),
  isKept: z.boolean(),
  isGiven: z.boolean(),
  hundredths: z.int().nullable(),
})
export type ProblemDerivation = z.infer<typeof problemDerivation>

/**
 * What a mark was derived from. `problems`: empty in a manual column. `added`: hundredths that staff added to the homework. `lateDays`: those
 * that are used here. `excusedBy`: the homework's dates, or staff in the gradebook. `isSet`: staff set the mark, in a homework in place of what was computed.
 */
export const markDerivation = z.object({
  problems: z.array(problemDerivation),
  added: z.int().nullable(),
  lateDays: z.int(),
  excusedBy: z.enum(['dates', 'staff']).nullable(),
  isSet: z.boolean(),
})
export type MarkDerivation = z.infer<typeof markDerivation>
