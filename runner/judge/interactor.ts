/** An interactor talks with the submission while it runs, and decides. */
import { STATUS, type Verdict } from '#contract/verdicts'
import { openUnnamedFile } from '../lib/unnamed-file.ts'
import type { RunResult } from '../sandbox/box.ts'
import { converse, type Side } from '../sandbox/converse.ts'
import {
  bytesOf,
  type CompiledJudgeProgram,
  describeFailure,
  FAILURE_BUDGET,
  JudgeProgramError,
  outcomeOf,
  withRoomForFiles,
} from './judge-program.ts'
import type { CaseFiles, Referee, Submission, Trial } from './referee.ts'
import { type CaseLimits, interactorLimits, runLimits, SILENCE_LIMITS } from './run-limits.ts'
import { verdictOfFailure, verdictOfTalk } from './verdict.ts'

/** The start of the note for staff when a submission made the interactor fail. */
const NOTE_START = new Map<Verdict, string>([
  [STATUS.WA, 'Wrong Answer'],
  [STATUS.TLE, 'Time Limit Exceeded'],
  [STATUS.OLE, 'Output Limit Exceeded'],
])

/** A program that reads everything the interactor writes, and is silent until the interactor's output ends. */
const SILENT_ARGV = ['/usr/bin/wc', '-c'] as const

export class Interactor implements Referee {
  private readonly submission: Submission
  private readonly interactor: CompiledJudgeProgram
  /** The directory for the pipes between submission and interactor. */
  private readonly scratchDir: string
  /** The time that the interactor's failures may still take, in wall limits. Afterwards its last failure decides the remaining cases. */
  private failureBudget = FAILURE_BUDGET
  private lastFailure: JudgeProgramError | null = null

  constructor(submission: Submission, interactor: CompiledJudgeProgram, scratchDir: string) {
    this.submission = submission
    this.interactor = interactor
    this.scratchDir = scratchDir
  }

  async try(files: CaseFiles, caseLimits: CaseLimits): Promise<Trial> {
    if (this.lastFailure !== null && this.failureBudget <= 0) throw this.lastFailure
    const { output: reference } = this.interactor
    const side = await this.interactorSide(files)
    const { limits } = side.request
    await reference.truncate()
    const [result, ownResult] = await converse(
      this.submissionSide(files, caseLimits),
      side,
      this.scratchDir,
      // After such an end of the interactor the submission fails, whatever it still does.
      (end) => outcomeOf(end, limits).verdict !== STATUS.AC,
    )
    const outcome = outcomeOf(ownResult, limits)
    const decided = verdictOfTalk(result, caseLimits, outcome.verdict, ownResult)
    if (decided !== null) return { result, verdict: decided, reference, note: null }
    const blamed = verdictOfFailure(
      result,
      ownResult,
      outcome.failure !== null && outcome.onPurpose,
    )
    const failure = describeFailure(
      this.interactor,
      files.name,
      `${outcome.failure}${whenItFailed(result, ownResult)}`,
      ownResult.stderr,
    )
    this.failureBudget -=
      Math.max(ownResult.cpuMs, ownResult.wallMs - result.wallMs) / limits.wallMs
    if (blamed === null || (await this.failsInSilence(side))) {
      this.lastFailure = new JudgeProgramError(failure)
      throw this.lastFailure
    }
    return { result, verdict: blamed, reference, note: `${NOTE_START.get(blamed)}: ${failure}` }
  }

  close(): Promise<void> {
    return this.interactor.close()
  }

  private submissionSide({ output }: CaseFiles, limits: CaseLimits): Side {
    const { box, argv } = this.submission
    return { box, request: { argv, output, limits: runLimits(limits) } }
  }

  private async interactorSide({ name, input, expected }: CaseFiles): Promise<Side> {
    const { box, argv, output } = this.interactor
    const room = withRoomForFiles(this.interactor, name, await bytesOf(input, expected))
    const files = { input, answer: expected }
    return { box, request: { argv, output, files, limits: interactorLimits(room) } }
  }

  /**
   * Whether the interactor fails on a case even without any input. Then the case or the interactor itself
   * is to blame, whatever the submission wrote.
   */
  private async failsInSilence(interactor: Side): Promise<boolean> {
    const told = await openUnnamedFile(this.scratchDir)
    const heard = await openUnnamedFile(this.scratchDir)
    try {
      const silent = { argv: SILENT_ARGV, output: told, limits: SILENCE_LIMITS, seesCompiler: true }
      const limits = { ...interactor.request.limits, wallMs: SILENCE_LIMITS.wallMs }
      const [first, second] = await converse(
        { box: this.submission.box, request: silent },
        { box: interactor.box, request: { ...interactor.request, output: heard, limits } },
        this.scratchDir,
        () => true,
      )
      return first.closedFirst === 'peer' && outcomeOf(second, limits).failure !== null
    } finally {
      await Promise.all([told, heard].map((file) => file.close()))
    }
  }
}

/** The words that tell staff whether the submission had ended before the interactor failed. */
function whenItFailed(submission: RunResult, interactor: RunResult): string {
  const ended = submission.closedFirst === 'program' && submission.fired === null
  return ended || interactor.fired === 'wall' ? ' after the submission had ended' : ''
}
