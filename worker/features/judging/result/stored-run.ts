/** The part of a sample run's result that is kept, all in one row. */
import type { ReportedOutput, ResultReport } from '#contract/judging'
import { RUNS } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import type { StoredRun } from '../../../db/schema.ts'

/** The outputs that fit a row, in order. An output that does not fit is dropped as a whole, never cut. */
function fittingOutputs(outputs: ReportedOutput[]): ReportedOutput[] {
  let room = (RUNS.keptBytes / 3) * 4
  return outputs.filter(({ stdout, stderr, expected }) => {
    const length = stdout.length + stderr.length + expected.length
    if (length > room) return false
    room -= length
    return true
  })
}

/** Report → row. @param sampleCount how many of the first inputs have an expected output */
export function toStoredRun(
  { status, compileMessage, tasks, outputs }: ResultReport,
  sampleCount: number,
): StoredRun {
  const ran = status === STATUS.CE ? [] : tasks
  const kept = fittingOutputs(outputs)
  return {
    status,
    compileMessage,
    cases: ran.flatMap(({ cases }, index) =>
      cases.map((result) => ({
        ...result,
        matches:
          index >= sampleCount || result.status === null || result.status === STATUS.JE
            ? null
            : result.status === STATUS.AC,
        output: kept.find(({ task }) => task === index) ?? null,
      })),
    ),
  }
}
