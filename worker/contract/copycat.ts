/** Copy detection: programs of a problem with long common parts. */
import * as z from 'zod'
import {
  courseName,
  epochSeconds,
  hexId,
  listOfUsernames,
  problemId,
  problemIdText,
  userInfo,
} from '#contract/fields'
import { operationStarted } from '#contract/operations'
import { languageCode } from '#contract/languages/codes'
import { COUNT_LIMITS } from '#contract/limits'

/**
 * POST /copycat: starts a report on a problem, or answers with the report that is already running. The report compares one
 * submission of each person except the course's staff: the newest accepted one, else the newest. Only languages of the same
 * `copyFamily` are compared. `usernames` limits the people; case does not matter. People who left the course are included: their
 * code may be the original.
 */
export const copycatStart = z.object({
  course: courseName,
  problemId,
  usernames: listOfUsernames(COUNT_LIMITS.membersPerRequest, 2).optional(),
})
export type CopycatStart = z.infer<typeof copycatStart>

/** Answer of POST /copycat (202). `count` is the `total` of the report's progress. */
export const copycatStarted = operationStarted

/** DELETE /copycat: stops the running report. The earlier report stays. */
export const copycatRef = z.object({ course: courseName, problemId })

/** Query of GET /copycat. */
export const copycatParams = z.object({ course: courseName, problemId: problemIdText })

/** One program of a pair. An erased person has the username `*…` and no name. */
const copycatSide = z.object({
  submissionId: hexId,
  user: userInfo,
  timestamp: epochSeconds,
  languageType: languageCode,
})
export type CopycatSide = z.infer<typeof copycatSide>

/**
 * How much two programs have in common, in tokens: words, numbers and signs. All names count as equal, and so do all numbers and
 * all texts. Comments and white space do not count. Runs of at least 16 equal tokens match; a program with fewer tokens matches as a whole.
 * Boilerplate never counts: code that more than 10 programs and more than a third of all programs share, and code blocks of the
 * statement.
 * - `similarity`: 2 × `overlap` ÷ the counted tokens of both, 0 to 1
 * - `longest`: counted tokens of the longest run
 * - `overlap`: counted tokens of all runs
 */
const copycatMeasures = z.object({
  similarity: z.number().min(0).max(1),
  longest: z.int(),
  overlap: z.int(),
})

/** A pair of a report. `left` is the older submission. */
const copycatPair = copycatMeasures.extend({ left: copycatSide, right: copycatSide })
export type CopycatPair = z.infer<typeof copycatPair>

/**
 * A report. `createTime`: when it was finished. `submissionCount` programs were compared in `comparedCount` pairs; `pairCount` of
 * these pairs have a similarity above 0. `histogram` counts those pairs by similarity in 10 equal bars; the last bar includes 1.
 * `pairs`: at most 1,000, the most similar first. `missingCount`: programs left out because the bucket has lost their code
 * (`object_lost`); absent when there are none.
 */
const copycatReport = z.object({
  createTime: epochSeconds,
  submissionCount: z.int(),
  missingCount: z.int().optional(),
  comparedCount: z.int(),
  pairCount: z.int(),
  histogram: z.array(z.int()),
  pairs: z.array(copycatPair),
})
export type CopycatReport = z.infer<typeof copycatReport>

/**
 * GET /copycat. `running`: `done` of `total` steps are finished; each submission is one step to read and one to compare. `failed`:
 * `error` gives the reason. `running` and `failed` carry the earlier report as `previous`. `done`: the report.
 */
export const copycatState = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('running'),
    done: z.int(),
    total: z.int(),
    previous: copycatReport.nullable(),
  }),
  z.object({ state: z.literal('failed'), error: z.string(), previous: copycatReport.nullable() }),
  copycatReport.extend({ state: z.literal('done') }),
])
export type CopycatState = z.infer<typeof copycatState>

/** Query of GET /copycat/{problemId}/pair: two submissions to the problem. */
export const copycatPairParams = z.object({ left: hexId, right: hexId })

/** A range of a program: offsets in UTF-16 units of its `code`, `end` not included; lines from 1. */
const codeRange = z.object({
  start: z.int(),
  end: z.int(),
  startLine: z.int(),
  endLine: z.int(),
})

/** Equal runs of tokens in two programs. `tokens` leaves out boilerplate. */
const copycatFragment = z.object({ left: codeRange, right: codeRange, tokens: z.int() })
export type CopycatFragment = z.infer<typeof copycatFragment>

/**
 * Answer of GET /copycat/{problemId}/pair, the older submission as `left`. Boilerplate is taken from the newest report. `fragments`
 * follow the order of the left program; there are none for two languages that are not compared.
 */
export const copycatComparison = copycatMeasures.extend({
  left: copycatSide.extend({ code: z.string() }),
  right: copycatSide.extend({ code: z.string() }),
  fragments: z.array(copycatFragment),
})
export type CopycatComparison = z.infer<typeof copycatComparison>
