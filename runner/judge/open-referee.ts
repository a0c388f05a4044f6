/** Picks the comparison, checker or interactor that decides on a job's cases. */
import type { CompareMode } from '#contract/problems/compare'
import type { Comparison } from '../compare/compare.ts'
import { filesMatch } from '../compare/thread.ts'
import type { Compiler } from '../compile/program-cache.ts'
import type { Limits } from '../sandbox/box.ts'
import type { Slot } from '../sandbox/slot.ts'
import { Checker } from './checker.ts'
import { Interactor } from './interactor.ts'
import { JUDGE_PROGRAM_LIMITS, openJudgeProgram } from './judge-program.ts'
import { type Referee, runSubmission, type Submission } from './referee.ts'
import { verdictOfCase } from './verdict.ts'

/** Compares outputs. @param comparison null: every run that ends well is right */
export function comparing(submission: Submission, comparison: Comparison | null): Referee {
  return {
    async try(files, limits, again) {
      const { output, expected } = files
      const result = await runSubmission(submission, files, limits, again)
      const matches = async () => comparison === null || filesMatch(comparison, output, expected)
      const verdict = await verdictOfCase(result, limits, matches)
      return { result, verdict, reference: expected, note: null }
    },
    async close() {},
  }
}

/** What a referee needs of the runner. */
interface RefereeTools {
  slot: Slot
  compiler: Compiler
  /** A directory of this slot's own. */
  scratchDir: string
  /** The limits of a checker or interactor. */
  limits?: Limits
}

/**
 * Opens the referee of a job.
 * @throws JudgeProgramError when its program does not compile
 */
export async function openReferee(
  compare: CompareMode,
  submission: Submission,
  { slot, compiler, scratchDir, limits = JUDGE_PROGRAM_LIMITS }: RefereeTools,
): Promise<Referee> {
  if (!('source' in compare)) return comparing(submission, compare)
  const judgeProgram = await openJudgeProgram(compare, slot, compiler, scratchDir, limits)
  switch (compare.mode) {
    case 'checker':
      return new Checker(submission, judgeProgram)
    case 'interactor':
      return new Interactor(submission, judgeProgram, scratchDir)
  }
}
