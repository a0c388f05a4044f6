/** Problems and the upload of their test data. */
import * as z from 'zod'
import { compareMode, shownCompareMode } from '#contract/problems/compare'
import {
  courseName,
  epochSeconds,
  hexId,
  intBetween,
  listOf,
  problemId,
  visibleName,
} from '#contract/fields'
import { counts, lateRule, ownDates } from '#contract/homework-dates'
import { ALL_LANGUAGES_MASK } from '#contract/languages/codes'
import { problemFile } from '#contract/problems/problem-files'
import {
  COUNT_LIMITS,
  QUOTA_MAX,
  QUOTA_UNLIMITED,
  SUBTASK_LIMITS,
  TEST_DATA_LIMITS,
  TEXT_LIMITS,
  TOTAL_SCORE,
} from '#contract/limits'

/** Visibility of a problem for students. */
export const PROBLEM_STATUS = { VISIBLE: 0, HIDDEN: 1 } as const

const statementPart = z.string().max(TEXT_LIMITS.statementPart)
const sampleList = listOf(z.string().max(TEXT_LIMITS.sample), COUNT_LIMITS.samples)

/** The statement; samples are paired by position. */
const problemDescription = z.object({
  description: statementPart,
  input: statementPart.default(''),
  output: statementPart.default(''),
  hint: statementPart.default(''),
  sampleInput: sampleList.default([]),
  sampleOutput: sampleList.default([]),
})
export type ProblemDescription = z.infer<typeof problemDescription>

/**
 * A subtask. Memory and output in KB, CPU time in ms. `sample`: students see what the subtask's cases read, print and expect;
 * servers older than the field do not send it.
 */
export const subtask = z.object({
  caseCount: intBetween(1, COUNT_LIMITS.casesPerSubtask),
  taskScore: intBetween(SUBTASK_LIMITS.score.min, SUBTASK_LIMITS.score.max),
  sample: z.boolean().default(false),
  memoryLimit: intBetween(SUBTASK_LIMITS.memoryKb.min, SUBTASK_LIMITS.memoryKb.max),
  timeLimit: intBetween(SUBTASK_LIMITS.timeMs.min, SUBTASK_LIMITS.timeMs.max),
  outputLimit: intBetween(SUBTASK_LIMITS.outputKb.min, SUBTASK_LIMITS.outputKb.max).default(
    SUBTASK_LIMITS.outputKb.default,
  ),
})
export type Subtask = z.infer<typeof subtask>

type StoredMark = Pick<Subtask, 'taskScore' | 'sample'>

/**
 * The subtasks of a form. Older callers leave `sample` out. Without it, a subtask with unchanged points keeps its stored mark.
 * A subtask without such a mark is a sample if neither it nor a subtask before it has points. A subtask without points after
 * one with points may be either, so `sample` is required.
 */
function formSubtasks(stored: StoredMark[]) {
  const given = subtask.extend({ sample: z.boolean().optional() })
  return listOf(given, COUNT_LIMITS.subtasks, 1).transform((list, context) =>
    list.map((subtask, index): Subtask => {
      const { taskScore } = subtask
      const before = stored[index]
      const sample = subtask.sample ?? (before?.taskScore === taskScore ? before.sample : undefined)
      const isAfterScored = list.slice(0, index).some((other) => other.taskScore > 0)
      if (sample === undefined && taskScore === 0 && isAfterScored)
        context.addIssue({
          code: 'custom',
          path: [index, 'sample'],
          params: { code: 'sample_unsaid' },
        })
      return { ...subtask, sample: sample ?? taskScore === 0 }
    }),
  )
}

const formFields = z.object({
  problemName: visibleName(TEXT_LIMITS.problemName),
  status: z.literal([0, 1]).default(PROBLEM_STATUS.HIDDEN),
  type: z.literal(0).default(0),
  tags: listOf(visibleName(TEXT_LIMITS.tag), COUNT_LIMITS.tags).default([]),
  quota: intBetween(QUOTA_UNLIMITED, QUOTA_MAX).default(QUOTA_UNLIMITED),
  allowedLanguage: intBetween(1, ALL_LANGUAGES_MASK).default(ALL_LANGUAGES_MASK),
  description: problemDescription,
  testCase: formSubtasks([]),
  compare: compareMode.default({ mode: 'lines' }),
  /** Students may see the cases that the error `reveals_tests` asks about. */
  revealTests: z.boolean().default(false),
  /**
   * New test data follow: the cases of a subtask become samples only with them, never with the present ones. Ignored for a new
   * problem.
   */
  awaitsTestData: z.boolean().default(false),
})

/** Rules between fields: samples come in pairs, scores total 100. */
function checkProblem(form: z.infer<typeof formFields>, context: z.RefinementCtx): void {
  const { sampleInput, sampleOutput } = form.description
  if (sampleInput.length !== sampleOutput.length)
    context.addIssue({
      code: 'custom',
      path: ['description', 'sampleOutput'],
      params: { code: 'required' },
    })
  const total = form.testCase.reduce((sum, subtask) => sum + subtask.taskScore, 0)
  if (total !== TOTAL_SCORE)
    context.addIssue({
      code: 'custom',
      path: ['testCase'],
      params: { code: 'between', min: TOTAL_SCORE, max: TOTAL_SCORE },
    })
}

/** The full form of a problem whose stored subtasks are these. */
export function problemFormOver(stored: StoredMark[]) {
  return formFields.extend({ testCase: formSubtasks(stored) }).superRefine(checkProblem)
}

/** PUT /problem/manage/{id} with JSON: the full form. */
export const problemForm = problemFormOver([])
export type ProblemForm = z.infer<typeof problemForm>
export type ProblemFormInput = z.input<typeof problemForm>

/** POST /problem/manage: the form and the course it goes to. */
export const newProblem = formFields.extend({ course: courseName }).superRefine(checkProblem)
export type NewProblem = z.input<typeof newProblem>

/** Answer of POST /problem/manage. */
export const problemCreated = z.object({ problemId })

/** POST /problem/{id}/copy: the course that gets a hidden copy, with its test data. Answers `problemCreated`. */
export const problemCopy = z.object({ course: courseName })

/** A problem by id and name, for lists of other things. */
export const problemName = z.object({ problemId, problemName: z.string() })
export type ProblemName = z.infer<typeof problemName>

/**
 * An item of GET /problem. `submitCount`, `highScore`, `ownQuota`, `quotaUsed` and `solved` (a submission was Accepted) are the caller's
 * own. `ownQuota`: that of a change of dates in a homework that runs, else `quota`. `quotaUsed` is 0 without a quota.
 */
const problemItem = z.object({
  problemId,
  problemName: z.string(),
  course: z.string(),
  status: z.literal([0, 1]),
  type: z.literal(0),
  tags: z.array(z.string()),
  quota: z.int(),
  ownQuota: z.int(),
  quotaUsed: z.int(),
  allowedLanguage: z.int(),
  submitCount: z.int(),
  highScore: z.int().nullable(),
  solved: z.boolean(),
  hasTestData: z.boolean(),
})
export type ProblemItem = z.infer<typeof problemItem>

/**
 * A homework, as shown with one of its problems. `own`: the caller's dates; for staff those for all. `counts`: the homework's, else the
 * course's. `points`: of the problem.
 */
const problemHomework = z.object({
  id: hexId,
  name: z.string(),
  start: epochSeconds,
  end: epochSeconds,
  own: ownDates,
  lateRule,
  counts,
  points: z.int(),
})
export type ProblemHomework = z.infer<typeof problemHomework>

/**
 * GET /problem/{id}. `quotaResetAt`: when the daily quota starts anew, by the course's time zone. `hasJudgeHost`: whether a judge host that
 * takes jobs is alive. `homeworks`: running ones first, the earliest due first; students see none that has not begun. `neighbours`: the
 * problems before and after it in the first of `homeworks`, else in the course, among those that the caller may see.
 */
export const problem = problemItem.extend({
  owner: z.string(),
  description: problemDescription,
  testCase: z.array(subtask),
  compare: shownCompareMode,
  files: z.array(problemFile),
  testDataVersion: z.string().nullable(),
  quotaResetAt: epochSeconds,
  hasJudgeHost: z.boolean(),
  homeworks: z.array(problemHomework),
  neighbours: z.object({ previous: problemName.nullable(), next: problemName.nullable() }),
  canManage: z.boolean(),
})
export type Problem = z.infer<typeof problem>

/** GET /problem/manage/{id}: everything that staff edit, with the checker or interactor. */
export const managedProblem = problem.extend({ compare: compareMode })
export type ManagedProblem = z.infer<typeof managedProblem>

/** Query of GET /problem. `tags` are separated by commas; a problem must have all of them. */
export const problemListParams = z.object({
  course: courseName,
  name: z.string().max(TEXT_LIMITS.search).optional(),
  tags: z.string().max(512).optional(),
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number<string>().pipe(intBetween(1, COUNT_LIMITS.listItems)).optional(),
})

/** Answer of GET /problem. */
export const problemPage = z.object({ items: z.array(problemItem), next: z.string().nullable() })

/** POST /problem/{id}/initiate-test-case-upload. Lengths in bytes. */
export const uploadStart = z.object({
  length: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  partSize: intBetween(TEST_DATA_LIMITS.partBytesMin, TEST_DATA_LIMITS.partBytesMax).optional(),
})

/** Answer of POST /problem/{id}/initiate-test-case-upload. PUT each part's bytes to the path at its position in `urls`. */
export const uploadStarted = z.object({
  uploadId: z.string(),
  partSize: z.int(),
  urls: z.array(z.string()),
})
export type UploadStarted = z.infer<typeof uploadStarted>

/** Answer of a part's PUT. The body that completes the upload lists these answers. */
export const uploadPart = z.object({
  ETag: z.string().min(1).max(256),
  PartNumber: z.int().min(1).max(10_000),
})
export type UploadPart = z.infer<typeof uploadPart>

/** How many parts the largest zip has if each part is as small as allowed. */
const MOST_PARTS = Math.ceil(TEST_DATA_LIMITS.zipBytes / TEST_DATA_LIMITS.partBytesMin)

/** POST /problem/{id}/complete-test-case-upload. */
export const uploadCompletion = z.object({
  uploadId: z.string().min(1).max(2_048),
  parts: listOf(uploadPart, MOST_PARTS, 1),
})

/** Answer of POST /problem/{id}/complete-test-case-upload, and of PUT /problem/manage/{id} with multipart form data. */
export const testDataAccepted = z.object({
  testDataVersion: z.string(),
  tasks: z.array(z.object({ caseCount: z.int() })),
})
export type TestDataAccepted = z.infer<typeof testDataAccepted>
