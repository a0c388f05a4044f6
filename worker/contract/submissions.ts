/** Submissions and their verdicts. */
import * as z from 'zod'
import {
  courseName,
  epochSeconds,
  hexId,
  intBetween,
  problemId,
  problemIdText,
  userInfo,
  username,
} from '#contract/fields'
import { givenPoints } from '#contract/homework-overrides'
import { labelIdText } from '#contract/labels'
import { languageCode } from '#contract/languages/codes'
import { COUNT_LIMITS } from '#contract/limits'
import { submissionStatus, subtaskResult } from '#contract/verdicts'

/** POST /submission. Without `code` the submission waits for its PUT. `checkSource` checks code and language. */
export const newSubmission = z.object({
  problemId,
  languageType: languageCode,
  code: z.string().optional(),
})
export type NewSubmission = z.infer<typeof newSubmission>

/** Answer of POST /submission. */
export const submissionCreated = z.object({ submissionId: hexId })

/**
 * A submission in lists. `status` −1 is pending. Until judged the score is 0, time and memory are null. CPU
 * time in ms, memory in KB.
 */
const submissionItem = z.object({
  submissionId: hexId,
  problemId,
  problemName: z.string(),
  course: z.string(),
  user: userInfo,
  status: submissionStatus,
  score: z.int(),
  runTime: z.int().nullable(),
  memoryUsage: z.int().nullable(),
  languageType: languageCode,
  timestamp: epochSeconds,
  ipAddr: z.string().optional(),
})
export type SubmissionItem = z.infer<typeof submissionItem>

/**
 * Progress of judging. `position` (1 = next, at most `QUEUE_POSITION_MOST`) only while queued; `done` of `total` cases while running.
 * `estimateSeconds`: how long a job at that position waits for its verdict, at the pace of the judge hosts that are alive; null when no
 * host is alive.
 */
export const judgingProgress = z.object({
  phase: z.enum(['queued', 'compiling', 'running']),
  done: z.int(),
  total: z.int(),
  position: z.int().optional(),
  estimateSeconds: z.int().nullable().optional(),
})
export type JudgingProgress = z.infer<typeof judgingProgress>

/**
 * A judgement in a submission's history. `reason` tells staff why it was a Judge Error, or on what its
 * checker failed.
 */
const judgementSummary = z.object({
  judgementId: hexId,
  state: z.enum(['queued', 'leased', 'done', 'superseded', 'failed', 'cancelled']),
  status: submissionStatus,
  score: z.int(),
  runTime: z.int().nullable(),
  memoryUsage: z.int().nullable(),
  queuedAt: epochSeconds,
  finishedAt: epochSeconds.nullable(),
  testDataVersion: z.string().nullable(),
  reason: z.string().nullable().optional(),
})
export type JudgementSummary = z.infer<typeof judgementSummary>

/** Bytes of the hash that a mistake is; in base64url they are 16 characters. */
export const MISTAKE_HASH_BYTES = 12

/** A mistake: the beginning of a SHA-256 in base64url (`runner/judge/mistake.ts` says of what). */
export const mistake = z.string().regex(/^[\w-]{16}$/)

/** A hint under a verdict. `helped`: what the submitter answered to "Did this help?"; null: nothing yet, or another person reads it. */
export const shownHint = z.object({
  hintId: z.int(),
  markdown: z.string(),
  helped: z.boolean().nullable(),
})
export type ShownHint = z.infer<typeof shownHint>

/**
 * GET /submission/{id}. `code` is UTF-8 text; undecodable bytes appear as U+FFFD. `tasks` and `progress` are null when there are
 * none. `sampleTasks`: the subtasks (from 0) whose output the submitter may read. `taskScores`: the most that each subtask gives;
 * null when it was judged with older test data. `tryNumber`: its number among the person's submissions to the problem, from 1; null
 * when there are too many to count. `judgements`: newest first. `hasOutputs`: whether outputs of its cases may still be there; they
 * are kept for half a year. `hints`: what staff wrote for everybody who made the same mistake; none under a result of earlier test data. `mistake`: for staff. `given`: the points that staff gave the submitter for this problem, in each homework.
 */
export const submissionDetail = submissionItem.extend({
  tasks: z.array(subtaskResult).nullable(),
  code: z.string(),
  compileMessage: z.string().nullable(),
  progress: judgingProgress.nullable(),
  judgements: z.array(judgementSummary),
  sampleTasks: z.array(z.int()),
  hasOutputs: z.boolean(),
  taskScores: z.array(z.int()).nullable(),
  tryNumber: z.int().nullable(),
  canRejudge: z.boolean(),
  hints: z.array(shownHint),
  mistake: mistake.nullable().optional(),
  given: z.array(givenPoints.extend({ homeworkId: hexId, homework: z.string(), most: z.int() })),
})
export type SubmissionDetail = z.infer<typeof submissionDetail>

const wholeNumber = z.coerce.number<string>()

/**
 * Query of GET /submission. Staff see everyone's submissions in the course that `course` or `problemId` names. Without `course`
 * and `problemId`, an admin sees the submissions of all courses, everybody else sees their own. Submissions of deleted courses
 * are in no list. `label`, for staff and with `course` or `problemId`: only of the students with this label of the course. `offset` and `count` are the older paging, which ends after a thousand items.
 */
export const submissionListParams = z.object({
  course: courseName.optional(),
  problemId: problemIdText.optional(),
  username: username.optional(),
  label: labelIdText.optional(),
  status: wholeNumber.pipe(submissionStatus).optional(),
  languageType: wholeNumber.pipe(languageCode).optional(),
  cursor: z.string().max(256).optional(),
  limit: wholeNumber.pipe(intBetween(1, COUNT_LIMITS.listItems)).optional(),
  offset: wholeNumber.pipe(intBetween(0, COUNT_LIMITS.listOffset)).optional(),
  count: wholeNumber.pipe(intBetween(1, COUNT_LIMITS.listItems)).optional(),
})

/**
 * Answer of GET /submission, newest first. Some lists look through at most `COUNT_LIMITS.filteredSubmissions` submissions for one page.
 * A page that reaches this number has fewer items than `limit`, or none. `searchedTo` is then the time of the last submission that it
 * looked at, and `next` goes on behind it. A list ends where `next` is null.
 */
export const submissionPage = z.object({
  submissions: z.array(submissionItem),
  next: z.string().nullable(),
  searchedTo: epochSeconds.optional(),
})

/** Answer of POST /problem/{id}/cancel. `more`: further submissions still wait; repeat the call. */
export const submissionsCancelled = z.object({ count: z.int(), more: z.boolean() })

/**
 * GET /submission/{id}/output/{task}/{case}: each text cut to 64 KiB, with its full size in bytes. `input` is
 * null when the test data of that judgement are gone.
 */
export const caseOutput = z.object({
  input: z.string().nullable(),
  inputSize: z.int().nullable(),
  stdout: z.string(),
  stdoutSize: z.int(),
  stderr: z.string(),
  stderrSize: z.int(),
  expected: z.string(),
  expectedSize: z.int(),
})
export type CaseOutput = z.infer<typeof caseOutput>
