/** What is a mistake, what a hint can be about, and what students are told of both. */
import { expect, test } from 'vitest'
import type * as z from 'zod'
import { CALLS } from '#contract/calls'
import { ERRORS } from '#contract/errors'
import { toFieldErrors } from '#contract/fields'
import { resultReport } from '#contract/judging'
import { COUNT_LIMITS } from '#contract/limits'
import {
  hintPath,
  mistakeListParams,
  mistakePath,
  mistakesMerged,
  newHint,
} from '#contract/mistakes'
import { MISTAKE_HASH_BYTES, mistake, shownHint } from '#contract/submissions'
import { submissionDetail } from '#contract/submissions'
import { outcomeWithoutRun, STATUS } from '#contract/verdicts'

const MISTAKE = 'aZ09-_aZ09-_aZ09'
const failed = { task: 1, case: 2 }
const { subtasks, casesPerSubtask } = COUNT_LIMITS

/** The fields that a schema refuses, each with its code. */
function refused(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value)
  return error
    ? toFieldErrors(error, value).map(({ path, code }) => `${path.join('.')}: ${code}`)
    : []
}

test('a mistake is the base64url of so many bytes, and nothing else is one', () => {
  const hashed = Buffer.alloc(MISTAKE_HASH_BYTES, 0xfb).toString('base64url')
  const good = [MISTAKE, hashed, Buffer.alloc(MISTAKE_HASH_BYTES).toString('base64url')]
  expect(good.filter((text) => !mistake.safeParse(text).success)).toEqual([])
  const wrong = [
    '',
    MISTAKE.slice(1),
    `${MISTAKE}a`,
    `${MISTAKE}\n`,
    MISTAKE.replace('-', '+'),
    MISTAKE.replace('_', '/'),
    MISTAKE.replace('a', 'é'),
    '__proto__',
    null,
    12,
  ]
  expect(wrong.filter((value) => mistake.safeParse(value).success)).toEqual([])
})

test('a result may name its mistake, name none, or come from a host that knows of none', () => {
  const outcome = outcomeWithoutRun(STATUS.CE, [1])
  const report = { ...outcome, lease: 'l'.repeat(43), compileMessage: 'x', reason: null }
  const mistakeOf = (fields: object) =>
    resultReport.parse({ ...report, outputs: [], ...fields }).mistake
  expect(mistakeOf({ mistake: MISTAKE })).toBe(MISTAKE)
  expect(mistakeOf({ mistake: null })).toBe(null)
  expect(mistakeOf({})).toBe(undefined)
  expect(refused(resultReport, { ...report, outputs: [], mistake: 'no mistake' })).toEqual([
    'mistake: invalid',
  ])
})

test('a hint is about a mistake or about a case: not about both, nor about neither', () => {
  const refusedOf = (about: object) => refused(newHint, { markdown: 'Think of N = 0', ...about })
  expect(refusedOf({ mistake: MISTAKE })).toEqual([])
  expect(refusedOf({ failed })).toEqual([])
  expect(refusedOf({ mistake: null, failed })).toEqual([])
  expect(refusedOf({})).toEqual(['mistake: invalid'])
  expect(refusedOf({ mistake: null, failed: null })).toEqual(['mistake: invalid'])
  expect(refusedOf({ mistake: MISTAKE, failed })).toEqual(['mistake: invalid'])
  expect(refusedOf({ mistake: 'short' })).toContain('mistake: invalid')
})

test.each([
  [{ task: 0, case: 0 }, []],
  [{ task: subtasks - 1, case: casesPerSubtask - 1 }, []],
  [{ task: -1, case: 0 }, ['failed.task: between']],
  [{ task: subtasks, case: 0 }, ['failed.task: between']],
  [{ task: 0, case: -1 }, ['failed.case: between']],
  [{ task: 0, case: casesPerSubtask }, ['failed.case: between']],
  [{ task: 0.5, case: 0 }, ['failed.task: integer']],
])('a hint’s case has a number that a case can have: %o', (where, faults) => {
  expect(refused(newHint, { markdown: 'x', failed: where })).toEqual(faults)
})

test('mistakes are merged into one, or into none', () => {
  expect(refused(mistakesMerged, { mistakes: [MISTAKE], into: 'b'.repeat(16) })).toEqual([])
  expect(refused(mistakesMerged, { mistakes: [MISTAKE], into: null })).toEqual([])
  expect(refused(mistakesMerged, { mistakes: [MISTAKE] })).toEqual(['into: required'])
  expect(refused(mistakesMerged, { mistakes: [MISTAKE, 'x'], into: null })).toEqual([
    'mistakes.1: invalid',
  ])
})

test('a path that names no mistake, or no hint, is refused', () => {
  expect(mistakePath.safeParse({ id: '1', mistake: MISTAKE }).success).toBe(true)
  expect(mistakePath.safeParse({ id: '1', mistake: 'merged' }).success).toBe(false)
  expect(hintPath.parse({ id: '1', hintId: '7' }).hintId).toBe(7)
  const wrong = ['0', '-1', '1.5', 'x', '9007199254740993']
  expect(wrong.filter((hintId) => hintPath.safeParse({ id: '1', hintId }).success)).toEqual([])
})

test('a cursor is a short text', () => {
  expect(refused(mistakeListParams, { cursor: 'x'.repeat(64) })).toEqual([])
  expect(refused(mistakeListParams, { cursor: 'x'.repeat(65) })).toEqual(['cursor: max_length'])
})

test('a hint under a verdict says its text and the reader’s answer, and not whom else it is for', () => {
  const whole = { mistake: MISTAKE, failed, people: 37, author: { username: 'ada' } }
  const shown = { hintId: 1, markdown: 'x', helped: null }
  expect(shownHint.parse({ ...whole, ...shown })).toEqual(shown)
  expect(Object.keys(submissionDetail.shape)).toContain('hints')
})

test('staff alone read groups, and write what students read', () => {
  const ofProblem = CALLS.filter(({ route }) => /^\w+ \/problem\/:id\/(mistakes|hints)/.test(route))
  expect(ofProblem.map(({ route, who, right }) => `${route}: ${who}, ${right}`)).toEqual([
    'GET /problem/:id/mistakes: staff, submission.readAll',
    'GET /problem/:id/mistakes/:mistake: staff, submission.readAll',
    'PUT /problem/:id/mistakes/merged: staff, question.answer',
    'POST /problem/:id/mistakes/:mistake/questions: staff, question.answer',
    'POST /problem/:id/hints: staff, question.answer',
    'PUT /problem/:id/hints/:hintId: staff, question.answer',
    'DELETE /problem/:id/hints/:hintId: staff, question.answer',
  ])
})

test('the refusal of a text that names a hidden case says how to show it all the same', () => {
  expect(ERRORS.hint_names_secret[1]).toContain('`mayNameSecret: true`')
})
