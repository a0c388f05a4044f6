/** A referee decides on the cases of a job. It is a comparison, a checker or an interactor (`open-referee.ts` picks one). */
import type { FileHandle } from 'node:fs/promises'
import type { Verdict } from '#contract/verdicts'
import type { Box, RunResult } from '../sandbox/box.ts'
import { stoppable } from '../lib/stoppable.ts'
import { type CaseLimits, runLimits, secondRunLimits } from './run-limits.ts'

/** The open files of a case. `output` starts empty and receives what the submission writes. */
export interface CaseFiles {
  /** The case's name, with which the names of its files begin, e.g. `0102`. */
  name: string
  input: FileHandle
  expected: FileHandle
  output: FileHandle
}

/** A run of the submission and the decision on it. */
export interface Trial {
  result: RunResult
  verdict: Verdict
  /** What people are shown next to the output: the expected output, or what the interactor wrote. */
  reference: FileHandle
  /** A note for staff. */
  note: string | null
}

export interface Referee {
  /**
   * Runs the submission on a case and decides.
   * @param again whether this is the second run of a near miss
   * @throws JudgeProgramError when the checker or interactor failed, SandboxError when we did
   */
  try(files: CaseFiles, limits: CaseLimits, again: boolean): Promise<Trial>
  close(): Promise<void>
}

/** A compiled submission in its box. */
export interface Submission {
  box: Box
  argv: readonly string[]
  /** Aborted when the result is no longer wanted. */
  signal: AbortSignal
}

/** Runs a submission without an interactor. @throws the signal's reason when that has ended it */
export function runSubmission(
  { box, argv, signal }: Submission,
  { input, output }: CaseFiles,
  limits: CaseLimits,
  again: boolean,
): Promise<RunResult> {
  const boxLimits = again ? secondRunLimits(limits) : runLimits(limits)
  return stoppable(signal, (stop) => box.run({ argv, input, output, limits: boxLimits, stop }))
}
