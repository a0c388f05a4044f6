/** Which output a result may keep. */
import { describe, expect, test } from 'vitest'
import { KEPT_OUTPUT_BYTES, KEPT_OUTPUT_TOTAL_BYTES } from '#contract/limits'
import type { ReportedOutput } from '#contract/judging'
import { resultFault, type CheckedSubtask } from '#contract/judging/result-check'
import {
  judgeOutcome,
  judgeSubtask,
  STATUS,
  type CaseResult,
  type Verdict,
} from '#contract/verdicts'

const SKIPPED: CaseResult = { status: null, runTime: null, memoryUsage: null }

/** Kept output of one case. Streams are in base64. */
function outputOf(task: number, caseIndex: number, streams: Partial<ReportedOutput> = {}) {
  const sizes = { stdoutSize: 0, stderrSize: 0, expectedSize: 0 }
  return { task, case: caseIndex, stdout: '', stderr: '', expected: '', ...sizes, ...streams }
}

/** Checks a result of these subtasks with these kept outputs; answers its fault. `null` is a case that did not run. */
function faultOf(
  subtasks: (Partial<CheckedSubtask> & { statuses: (Verdict | null)[] })[],
  outputs: ReportedOutput[],
): string | null {
  const checked = subtasks.map(({ statuses, ...rest }) => ({
    caseCount: statuses.length,
    taskScore: 50,
    timeLimit: 1_000,
    ...rest,
  }))
  const results = subtasks.map(({ statuses }, index) =>
    judgeSubtask(
      statuses.map((status) => (status === null ? SKIPPED : { ...SKIPPED, status, ...FIGURES })),
      checked[index]?.taskScore ?? 0,
    ),
  )
  const report = { ...judgeOutcome(results), compileMessage: null, reason: null, outputs }
  return resultFault(checked, report)
}

const FIGURES = { runTime: 1, memoryUsage: 1 }
const { AC, WA } = STATUS

describe('output is kept', () => {
  test.each([
    ['of a failed case', { statuses: [AC, WA] }, 1],
    ['of an accepted case of a sample', { statuses: [AC], sample: true }, 0],
    ['of an accepted case without points', { statuses: [AC], taskScore: 0 }, 0],
    ['of a failed case without points', { statuses: [WA], taskScore: 0 }, 0],
    ['of a failed case of a sample', { statuses: [WA], sample: true }, 0],
  ])('%s', (_title, subtask, caseIndex) => {
    const subtasks = [{ statuses: [AC] }, subtask]
    expect(faultOf(subtasks, [outputOf(1, caseIndex)])).toBeNull()
  })

  test('of several cases', () => {
    const subtasks = [{ statuses: [WA] }, { statuses: [AC, WA], sample: true }]
    const outputs = [outputOf(0, 0), outputOf(1, 0), outputOf(1, 1)]
    expect(faultOf(subtasks, outputs)).toBeNull()
  })
})

test.each([
  ['an accepted case with points', [outputOf(0, 0)], 'subtask 0, case 0: an accepted case'],
  ['a skipped case', [outputOf(1, 1)], 'subtask 1, case 1: this case has not run'],
  ['a case that is not there', [outputOf(1, 2)], 'subtask 1, case 2: this case has not run'],
  ['a subtask that is not there', [outputOf(2, 0)], 'subtask 2, case 0: this case has not run'],
  ['a case twice', [outputOf(1, 0), outputOf(1, 0)], 'subtask 1, case 0: there twice'],
])('output of %s is a fault', (_title, outputs, words) => {
  const subtasks = [{ statuses: [AC] }, { statuses: [WA, null] }]
  expect(faultOf(subtasks, outputs)).toContain(words)
})

describe('the total of kept output', () => {
  const full = Buffer.alloc(KEPT_OUTPUT_BYTES).toString('base64')
  const streams = KEPT_OUTPUT_TOTAL_BYTES / KEPT_OUTPUT_BYTES

  /** Checks samples with as many full streams as the total allows, and one more stream; answers their fault. */
  function faultWith(more: string): string | null {
    const count = Math.ceil(streams / 3)
    const outputs = Array.from({ length: count }, (_, index) =>
      outputOf(0, index, { stdout: full, stderr: full, expected: index < count - 1 ? full : more }),
    )
    const statuses = outputs.map(() => AC)
    return faultOf([{ statuses, sample: true }], outputs)
  }

  test('has room for as many full streams as it is large, rounded up by base64', () => {
    expect(faultWith('')).toBeNull()
  })

  test('has no room for more', () => {
    expect(faultWith('AAAA')).toContain('bytes of kept output')
    expect(faultWith(full)).toContain('bytes of kept output')
  })

  test.each(['stdout', 'stderr', 'expected'])('counts %s', (stream) => {
    const beyond = 'AAAA'.repeat(KEPT_OUTPUT_TOTAL_BYTES / 3 + 3)
    const outputs = [outputOf(0, 0, { [stream]: beyond })]
    expect(faultOf([{ statuses: [WA] }], outputs)).toContain('bytes of kept output')
  })
})
