/** Homeworks. */
import * as z from 'zod'
import { mapByName } from '#contract/by-name'
import {
  courseName,
  epochSeconds,
  hexId,
  intBetween,
  listOf,
  problemId,
  visibleName,
  userInfo,
} from '#contract/fields'
import { counts, lateRule, ownDates } from '#contract/homework-dates'
import { givenPoints } from '#contract/homework-overrides'
import { lateDayRule, lateDays } from '#contract/late-days'
import { COUNT_LIMITS, HOMEWORK_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { problemName } from '#contract/problems'
import { submissionStatus } from '#contract/verdicts'

const homeworkStatus = z.enum(['running', 'not-started', 'over'])
export type HomeworkStatus = z.infer<typeof homeworkStatus>

/**
 * The status of a homework at a time: it runs until it closes, and opening and closing belong to the running time.
 * @param dates of one person (`ownDates`)
 * @param now epoch seconds of the server's clock
 */
export function homeworkStatusAt(
  { opens, closes }: { opens: number; closes: number },
  now: number,
): HomeworkStatus {
  if (now < opens) return 'not-started'
  return now > closes ? 'over' : 'running'
}

/**
 * One student's progress on one problem of a homework. `score`: the best in time, without late work. `bestId`: the first submission
 * with that score; null when none came in time. `late`: score and submissions after the due time and its grace.
 * `counted`: the submission that counts; null when none does. `mark`: its points, with two decimals, or those of `given`; null when
 * nothing counts. `kept`: the mark is one from before a change of dates that staff have not confirmed; `counted` is then null.
 * `given`: points that staff gave in place of the computed ones. A student to whom the gradebook does not show the mark gets none of these four.
 */
const problemProgress = z.object({
  score: z.int(),
  problemStatus: submissionStatus.nullable(),
  submissionIds: z.array(hexId),
  bestId: hexId.nullable(),
  late: z.object({ score: z.int(), submissionIds: z.array(hexId), bestId: hexId }).nullable(),
  counted: hexId.nullable(),
  mark: z.number().nullable(),
  kept: z.boolean(),
  given: givenPoints.nullable(),
})
export type ProblemProgress = z.infer<typeof problemProgress>

/**
 * A student's mark in a homework: the points that staff set in the gradebook; else the sum of the marks of its problems and of `given`, the points
 * for the homework as a whole. With two decimals; null for an excused student, and for a student to whom the gradebook does not show it: `given` is
 * then null, too, and so is the `gain` of late days. `lateDays` null: the homework has no budget of late days.
 */
const homeworkMark = z.object({
  sum: z.number().nullable(),
  excused: z.boolean(),
  given: givenPoints.nullable(),
  lateDays: lateDays.nullable(),
})
export type HomeworkMark = z.infer<typeof homeworkMark>

/**
 * A homework. `start`, `end`, `close` and `graceMinutes` are the homework's; `close` null: it closes when it is due. `own`: the caller's
 * dates; for staff those for all; its `closes` includes the late days that the caller can still use here. `lateDays`: the budget whose days
 * students may use here. `status` follows `own`. `counts` null: as the course has it, `courseCounts`. `problems`: the problems of
 * `problemIds` with their names; `points`: what each is worth. `studentStatus`: username → problem id → progress, and `marks`:
 * username → mark; students get their own entry, staff everyone's. Before the start students see no text and no problems, and they
 * never see a problem that is hidden from them.
 */
export const homework = z.object({
  id: hexId,
  name: z.string(),
  course: z.string(),
  start: epochSeconds,
  end: epochSeconds,
  close: epochSeconds.nullable(),
  graceMinutes: z.int(),
  lateRule,
  counts: counts.nullable(),
  courseCounts: counts,
  lateDays: lateDayRule.nullable(),
  own: ownDates,
  markdown: z.string(),
  problemIds: z.array(problemId),
  problems: z.array(problemName),
  points: z.array(z.int()),
  scoreboardStatus: z.int(),
  scoreboardNames: z.boolean(),
  status: homeworkStatus,
  studentStatus: mapByName(z.record(z.string(), problemProgress)),
  marks: mapByName(homeworkMark),
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
  close: epochSeconds.nullable().default(null),
  graceMinutes: intBetween(0, HOMEWORK_LIMITS.graceMinutes).default(0),
  lateRule: lateRule.default({ kind: 'none' }),
  counts: counts.nullable().default(null),
  problemIds: listOf(problemId, COUNT_LIMITS.homeworkProblems).default([]),
  points: listOf(intBetween(0, HOMEWORK_LIMITS.points), COUNT_LIMITS.homeworkProblems).optional(),
  scoreboardStatus: z.literal([0, 1]).default(1),
  scoreboardNames: z.boolean().default(false),
})

/**
 * Rules between fields: dates come in order, the steps of a late rule begin later and later and count no more than the step before, no
 * problem occurs twice, each has its points.
 */
function checkHomework(form: z.infer<typeof formFields>, context: z.RefinementCtx): void {
  if (form.end < form.start)
    context.addIssue({
      code: 'custom',
      path: ['end'],
      params: { code: 'min_value', min: form.start },
    })
  if (form.close !== null && form.close < form.end)
    context.addIssue({
      code: 'custom',
      path: ['close'],
      params: { code: 'min_value', min: form.end },
    })
  const steps = form.lateRule.kind === 'steps' ? form.lateRule.steps : []
  for (const [index, { afterHours, percent }] of steps.entries()) {
    const before = steps[index - 1]
    if (before === undefined) continue
    if (afterHours <= before.afterHours)
      context.addIssue({
        code: 'custom',
        path: ['lateRule', 'steps', index, 'afterHours'],
        params: { code: 'min_value', min: before.afterHours + 1 },
      })
    if (percent > before.percent)
      context.addIssue({
        code: 'custom',
        path: ['lateRule', 'steps', index, 'percent'],
        params: { code: 'max_value', max: before.percent },
      })
  }
  if (form.points !== undefined && form.points.length !== form.problemIds.length)
    context.addIssue({ code: 'custom', path: ['points'], params: { code: 'invalid' } })
  if (new Set(form.problemIds).size !== form.problemIds.length)
    context.addIssue({ code: 'custom', path: ['problemIds'], params: { code: 'invalid' } })
}

/**
 * PUT /homework/{id}: the whole form. `close` null: it closes when it is due. `counts` null: as the course has it. `points`: those of
 * `problemIds` in order, 100 each if absent. `scoreboardStatus` 0: students see the scoreboard, 1: only staff. `scoreboardNames`: whether
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
 * A student on the scoreboard. `user` is null for a pseudonym. `scores`: the mark for each problem, null where nothing counts.
 * `sum`: with the points for the homework as a whole, or what staff set in the gradebook. Excused students and those whose mark is held have no
 * marks and 0 as their sum; so have all while the gradebook does not show the homework to every student.
 */
const boardRow = z.object({
  user: userInfo.nullable(),
  scores: z.array(z.number().nullable()),
  sum: z.number(),
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
