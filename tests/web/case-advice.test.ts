import { expect, it } from 'vitest'
import type { LanguageCode } from '#contract/languages/codes'
import { STATUS, type CaseResult, type SubmissionStatus } from '#contract/verdicts'
import { adviceOf, isOnlyUnscored } from '../../web/features/submissions/case-advice.ts'

const [C, CPP, PYTHON] = [0, 1, 2] as const

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
  expect(adviceOf(result, language, '')).toEqual(advice === null ? [] : [advice])
})

const OPENS = 'int main(void) { FILE *f = fopen("/dev/stdin", "r"); }'
const REOPENS = 'int main() { freopen("input.txt", "r", stdin); }'

it.each<[string, LanguageCode, string, string[]]>([
  ['/dev/stdin', C, OPENS, ['wrong', 'device']],
  ['/dev/stdout', CPP, 'std::ofstream out("/dev/stdout");', ['wrong', 'device']],
  ['/dev/stdin in Python', PYTHON, "data = open('/dev/stdin').read()", ['wrong', 'device']],
  ['a file in place of stdin', CPP, REOPENS, ['wrong', 'freopen']],
  ['such a file where it is no judge', CPP, `#ifndef ONLINE_JUDGE\n${REOPENS}\n#endif`, ['wrong']],
  ['it in a comment', C, `// ${OPENS}\n// ${REOPENS}`, ['wrong']],
  ['it in a comment of Python', PYTHON, '# open("/dev/stdin")', ['wrong']],
  ['another device', C, 'fopen("/dev/null", "w");', ['wrong']],
])('a source that opens %s gives the advice for that, too', (_what, language, source, advice) => {
  const failed = { status: STATUS.WA, runTime: 1, memoryUsage: 1 }
  expect(adviceOf(failed, language, source)).toEqual(advice)
  expect(adviceOf({ ...failed, status: STATUS.AC }, language, source)).toEqual([])
})

it.each<[SubmissionStatus, number, boolean]>([
  [STATUS.WA, 100, true],
  [STATUS.WA, 99, false],
  [STATUS.AC, 100, false],
])('verdict %i with %i points failed only where there are none: %s', (status, score, isOnly) => {
  expect(isOnlyUnscored({ status, score })).toBe(isOnly)
})
