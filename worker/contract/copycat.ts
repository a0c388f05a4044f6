/** Copy detection: which programs of a problem have long parts in common. */
import * as z from 'zod'
import {
  courseName,
  epochSeconds,
  hexId,
  listOf,
  problemId,
  problemIdText,
  userInfo,
  username,
} from '#contract/fields'
import { operationStarted } from '#contract/operations'
import { languageCode } from '#contract/languages'
import { COUNT_LIMITS } from '#contract/limits'

/**
 * POST /copycat: starts a report over the newest accepted (else newest) submission of everybody who handed in but the
 * course's staff, C and C++ apart from Python. `usernames` names whose, without regard to case. Who left the course
 * is compared too: their code may be what somebody copied. While a report of the problem runs, that one is answered.
 */
export const copycatStart = z.object({
  course: courseName,
  problemId,
  usernames: listOf(username, COUNT_LIMITS.membersPerRequest, 2).optional(),
})
export type CopycatStart = z.infer<typeof copycatStart>

/** Its answer (202): `count` is the `total` of the progress. */
export const copycatStarted = operationStarted

/** DELETE /copycat: stops the report that runs; the one before stays. */
export const copycatRef = z.object({ course: courseName, problemId })

/** Query of GET /copycat. */
export const copycatParams = z.object({ course: courseName, problemId: problemIdText })

/** One of the two programs of a pair. Who was deleted since then has the username `*…` and no name. */
const copycatSide = z.object({
  submissionId: hexId,
  user: userInfo,
  timestamp: epochSeconds,
  languageType: languageCode,
})
export type CopycatSide = z.infer<typeof copycatSide>

/**
 * How much two programs have in common, in tokens: words, numbers and signs, where every name counts as the same, every
 * number and every text, and comments and white space not at all. Runs of at least 16 equal tokens match (a shorter
 * program as a whole); what more than 10 programs and more than a third of them share, and what stands in a code
 * block of the statement, is boilerplate and counts nowhere.
 * `similarity`: 2 × `overlap` ÷ the counted tokens of both, 0 to 1. `longest`: counted tokens of the longest run.
 * `overlap`: counted tokens of all runs.
 */
const copycatMeasures = z.object({
  similarity: z.number().min(0).max(1),
  longest: z.int(),
  overlap: z.int(),
})

/** A pair of a report; `left` is the older submission. */
const copycatPair = copycatMeasures.extend({ left: copycatSide, right: copycatSide })
export type CopycatPair = z.infer<typeof copycatPair>

/**
 * A report. `createTime`: when it was done. `submissionCount` programs were compared in `comparedCount` pairs, of which
 * `pairCount` are above 0; `histogram` counts those by similarity in 10 equal steps, the last one with 1. `pairs`:
 * the most similar first, at most 1,000.
 */
const copycatReport = z.object({
  createTime: epochSeconds,
  submissionCount: z.int(),
  comparedCount: z.int(),
  pairCount: z.int(),
  histogram: z.array(z.int()),
  pairs: z.array(copycatPair),
})
export type CopycatReport = z.infer<typeof copycatReport>

/**
 * GET /copycat. `running`: `done` of `total`, where every submission counts when it is read and when it is compared;
 * `failed`: why in `error`; both with the report before in `previous`. `done`: the report.
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

/** GET /copycat/{problemId}/pair: two submissions to the problem, by id. */
export const copycatPairParams = z.object({ left: hexId, right: hexId })

/** A range of a program: offsets in UTF-16 units of its `code`, `end` not included; lines from 1. */
const codeRange = z.object({
  start: z.int(),
  end: z.int(),
  startLine: z.int(),
  endLine: z.int(),
})

/** Parts of two programs that are the same row of tokens; `tokens` counts those that are not boilerplate. */
const copycatFragment = z.object({ left: codeRange, right: codeRange, tokens: z.int() })
export type CopycatFragment = z.infer<typeof copycatFragment>

/**
 * Answer of GET /copycat/{problemId}/pair, with the older submission at the left. Boilerplate is what the newest report
 * found. `fragments` in the order of the left program; none for two languages that are not compared.
 */
export const copycatComparison = copycatMeasures.extend({
  left: copycatSide.extend({ code: z.string() }),
  right: copycatSide.extend({ code: z.string() }),
  fragments: z.array(copycatFragment),
})
export type CopycatComparison = z.infer<typeof copycatComparison>
