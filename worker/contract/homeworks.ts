/** Homeworks. */
import * as z from 'zod'
import { mapByName } from '#contract/by-name'
import {
  courseName,
  epochSeconds,
  hexId,
  listOf,
  problemId,
  visibleName,
  userInfo,
} from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { problemName } from '#contract/problems'
import { submissionStatus } from '#contract/verdicts'

const homeworkStatus = z.enum(['running', 'not-started', 'over'])
export type HomeworkStatus = z.infer<typeof homeworkStatus>

/**
 * The status of a homework at a time.
 * @param now epoch seconds of the server's clock; the start and the end belong to the running time
 */
export function homeworkStatusAt(
  homework: { start: number; end: number },
  now: number,
): HomeworkStatus {
  if (now < homework.start) return 'not-started'
  return now > homework.end ? 'over' : 'running'
}

/**
 * One student's progress on one problem of a homework. `bestId`: the first submission with that score; null when none came in time.
 * `late`: score and submissions after the end.
 */
const problemProgress = z.object({
  score: z.int(),
  problemStatus: submissionStatus.nullable(),
  submissionIds: z.array(hexId),
  bestId: hexId.nullable(),
  late: z.object({ score: z.int(), submissionIds: z.array(hexId), bestId: hexId }).nullable(),
})
export type ProblemProgress = z.infer<typeof problemProgress>

/**
 * A homework. `problems`: the problems of `problemIds` with their names. `studentStatus`: username → problem id → progress;
 * students get their own entry, staff everyone's. Before the start students see no text and no problems, and they never see a
 * problem that is hidden from them.
 */
export const homework = z.object({
  id: hexId,
  name: z.string(),
  course: z.string(),
  start: epochSeconds,
  end: epochSeconds,
  markdown: z.string(),
  problemIds: z.array(problemId),
  problems: z.array(problemName),
  scoreboardStatus: z.int(),
  scoreboardNames: z.boolean(),
  status: homeworkStatus,
  studentStatus: mapByName(z.record(z.string(), problemProgress)),
})
export type Homework = z.infer<typeof homework>
/** The texts of a homework: students see none of them before the start. */
export const HOMEWORK_TEXTS = ['markdown'] as const satisfies (keyof Homework)[]
/** A homework as the server sends it. */
export type SentHomework = z.input<typeof homework>

/** An item of GET /homework: a running homework of one of the caller's courses. `studentStatus` is the caller's own progress. */
export const runningHomework = homework.omit({
  markdown: true,
  scoreboardStatus: true,
  scoreboardNames: true,
})
export type RunningHomework = z.infer<typeof runningHomework>
/** A running homework as the server sends it. */
export type SentRunningHomework = z.input<typeof runningHomework>

/** Whose progress a list of homeworks holds. */
const homeworkProgress = z.enum(['own', 'all'])
export type HomeworkProgress = z.infer<typeof homeworkProgress>

/**
 * Query of GET /course/{name}/homework. `progress`: `all`, the default, gives staff everyone's progress. `own` gives only the
 * caller's progress, at the same cost for any size of class.
 */
export const homeworkListParams = z.object({ progress: homeworkProgress.optional() })

const formFields = z.object({
  name: visibleName(TEXT_LIMITS.homeworkName),
  markdown: z.string().max(TEXT_LIMITS.homeworkMarkdown).default(''),
  start: epochSeconds,
  end: epochSeconds,
  problemIds: listOf(problemId, COUNT_LIMITS.homeworkProblems).default([]),
  scoreboardStatus: z.literal([0, 1]).default(1),
  scoreboardNames: z.boolean().default(false),
})

/** Rules between fields: the end is not before the start, no problem occurs twice. */
function checkHomework(form: z.infer<typeof formFields>, context: z.RefinementCtx): void {
  if (form.end < form.start)
    context.addIssue({
      code: 'custom',
      path: ['end'],
      params: { code: 'min_value', min: form.start },
    })
  if (new Set(form.problemIds).size !== form.problemIds.length)
    context.addIssue({ code: 'custom', path: ['problemIds'], params: { code: 'invalid' } })
}

/**
 * PUT /homework/{id}: the whole form. `scoreboardStatus` 0: students see the scoreboard, 1: only staff. `scoreboardNames`: whether
 * students see each other's names on the scoreboard.
 */
export const homeworkForm = formFields.superRefine(checkHomework)
export type HomeworkForm = z.infer<typeof homeworkForm>

/** POST /homework: the form and the course it goes to. */
export const newHomework = formFields.extend({ courseName }).superRefine(checkHomework)

/** Whether students see the scoreboard of a homework: from its start, if `scoreboardStatus` is 0. */
export function isBoardOpen({
  scoreboardStatus,
  status,
}: Pick<Homework, 'scoreboardStatus' | 'status'>): boolean {
  return scoreboardStatus === 0 && status !== 'not-started'
}

/**
 * A student on the scoreboard. `user` is null for a pseudonym. `scores`: the best score in time for each problem, null where
 * nothing came in time.
 */
const boardRow = z.object({
  user: userInfo.nullable(),
  scores: z.array(z.int().nullable()),
  sum: z.int(),
})
export type HomeworkBoardRow = z.infer<typeof boardRow>

/**
 * GET /homework/{id}/scoreboard: what students see of each other. `own` is null for people who are not students. `others`: best
 * first; without names, scores alone decide the order.
 */
export const homeworkBoard = z.object({
  problemIds: z.array(problemId),
  own: boardRow.nullable(),
  others: z.array(boardRow),
})
export type HomeworkBoard = z.infer<typeof homeworkBoard>

/** Answer of POST /homework. */
export const homeworkCreated = z.object({ id: hexId })
