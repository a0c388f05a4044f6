import { expect, it } from 'vitest'
import type { LanguageCode } from '#contract/languages'
import { STATUS, type CaseResult, type SubmissionStatus } from '#contract/verdicts'
import { adviceOf, isOnlyUnscored } from '../../web/features/submissions/case-advice.ts'

const [C, PYTHON] = [0, 2] as const

it.each<[CaseResult['status'], CaseResult['end'], LanguageCode, string | null]>([
  [STATUS.AC, undefined, C, null],
  [null, undefined, C, null],
  [STATUS.JE, undefined, C, null],
  [STATUS.WA, undefined, C, 'wrong'],
  [STATUS.TLE, 'wall', C, 'wall'],
  [STATUS.TLE, undefined, C, 'time'],
  [STATUS.RE, 'SIGFPE', C, 'SIGFPE'],
  [STATUS.RE, 'exit', C, 'exit'],
  [STATUS.RE, 'exit', PYTHON, 'exception'],
  [STATUS.RE, undefined, PYTHON, 'crash'],
  [STATUS.OLE, undefined, C, 'output'],
])('a case with verdict %j that ended by %s in language %i gives the advice %j', (...row) => {
  const [status, end, language, advice] = row
  const result = { status, runTime: 1, memoryUsage: 1, ...(end && { end }) }
  expect(adviceOf(result, language)).toBe(advice)
})

it.each<[SubmissionStatus, number, boolean]>([
  [STATUS.WA, 100, true],
  [STATUS.WA, 99, false],
  [STATUS.AC, 100, false],
])('verdict %i with %i points failed only where there are none: %s', (status, score, isOnly) => {
  expect(isOnlyUnscored({ status, score })).toBe(isOnly)
})
