/**
 * Mistakes and hints. A mistake is a fingerprint of how a submission's first failing case went, so equal mistakes are found without
 * the outputs. Staff answer one with a hint, which stands under the verdict of everybody who makes it.
 */
import * as z from 'zod'
import { epochSeconds, hexId, intBetween, listOf, requiredText, userInfo } from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { mistake } from '#contract/submissions'
import { caseEnd, verdict } from '#contract/verdicts'

/** The first failing case of a submission: numbers of subtask and case, from 0. */
const failedCase = z.object({
  task: intBetween(0, COUNT_LIMITS.subtasks - 1),
  case: intBetween(0, COUNT_LIMITS.casesPerSubtask - 1),
})
export type FailedCase = z.infer<typeof failedCase>

/**
 * A hint, for staff. It is about a mistake or about a case; the other is null. `isAside`: what judging depends on has changed since staff last
 * looked at the hint, or a sample has become hidden, so no student sees it. `helped` and `notHelped`: answers to "Did this help?".
 */
const hint = z.object({
  hintId: z.int(),
  markdown: z.string(),
  mistake: mistake.nullable(),
  failed: failedCase.nullable(),
  author: userInfo,
  updateTime: epochSeconds,
  isAside: z.boolean(),
  helped: z.int(),
  notHelped: z.int(),
})
export type Hint = z.infer<typeof hint>

/** One person's last failing try. `isSolved`: the person has an accepted submission to the problem. */
const mistakeTry = z.object({
  user: userInfo,
  submissionId: hexId,
  isSolved: z.boolean(),
})
export type MistakeTry = z.infer<typeof mistakeTry>

/**
 * People whose last failing tries made the same mistake. `mistake`: the one that stands for the group; `merged`: the others that staff
 * count to it. `failed` null: no case ran, as after a Compile Error. `compileError`: its first error. `people`: all of them, `solved`: those of
 * them with a later accepted submission, `unsolved`: those without an accepted one, whom a comment reaches. `since`: when the oldest of these tries came. `examples`: at most three submissions with the mistake that
 * stands for the group, newest first; the first of them went as `status`, `failed`, `end` and `compileError` say.
 */
const mistakeGroup = z.object({
  mistake,
  merged: z.array(mistake),
  status: verdict,
  failed: failedCase.nullable(),
  end: caseEnd.nullable(),
  compileError: z.string().nullable(),
  people: z.int(),
  solved: z.int(),
  unsolved: z.int(),
  since: epochSeconds,
  examples: z.array(hexId),
})
export type MistakeGroup = z.infer<typeof mistakeGroup>

/** Query of GET /problem/{id}/mistakes. `cursor`: the `next` of the page before. */
export const mistakeListParams = z.object({
  cursor: z.string().max(64).optional(),
})

/**
 * GET /problem/{id}/mistakes: one page of groups, largest first, with the hints of the problem. `people`: all with a failing try;
 * `groupCount`: of all pages. Staff's own tries do not count.
 */
export const mistakePage = z.object({
  people: z.int(),
  groupCount: z.int(),
  groups: z.array(mistakeGroup),
  hints: z.array(hint),
  next: z.string().nullable(),
})
export type MistakePage = z.infer<typeof mistakePage>

/** GET /problem/{id}/mistakes/{mistake}: the people of a group, those who have not solved the problem first, then by username. */
export const mistakePeople = z.object({ tries: z.array(mistakeTry) })

/**
 * PUT /problem/{id}/mistakes/merged: counts these mistakes, and what is merged into them, to `into`. `into` null: each stands for itself
 * again.
 */
export const mistakesMerged = z.object({
  mistakes: listOf(mistake, COUNT_LIMITS.mergedMistakes, 1),
  into: mistake.nullable(),
})

const markdown = requiredText(TEXT_LIMITS.hint)

/** Whether the text may name the input or the expected output of a hidden case. */
const mayNameSecret = z.boolean().default(false)

/** POST /problem/{id}/hints: a hint for a mistake, or for everybody whose first failing case is `failed`; exactly one of the two. */
export const newHint = z
  .object({
    markdown,
    mistake: mistake.nullable().default(null),
    failed: failedCase.nullable().default(null),
    mayNameSecret,
  })
  .refine((body) => (body.mistake === null) !== (body.failed === null), {
    path: ['mistake'],
    params: { code: 'invalid' },
  })
export type NewHint = z.infer<typeof newHint>

/** Answer of POST /problem/{id}/hints. */
export const hintCreated = z.object({ hintId: z.int() })

/** PUT /problem/{id}/hints/{hintId}: the text anew; a hint that was set aside shows again. */
export const hintEdit = z.object({ markdown, mayNameSecret })

/** PUT /submission/{id}/hints/{hintId}: whether a hint under this verdict helped. */
export const hintAnswer = z.object({ helped: z.boolean() })

/** POST /problem/{id}/mistakes/{mistake}/questions: a comment on the last failing try of each person in the group who has not solved the problem. */
export const mistakeComment = z.object({ markdown: requiredText(TEXT_LIMITS.questionMarkdown) })

/** Answer: how many people got it. */
export const mistakeCommented = z.object({ people: z.int() })

/** The path of the calls about one mistake. */
export const mistakePath = z.object({ id: z.string(), mistake })

/** The path of the calls about one hint. */
export const hintPath = z.object({
  id: z.string(),
  hintId: z.coerce.number<string>().pipe(z.int().min(1)),
})
