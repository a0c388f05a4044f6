/**
 * A checker decides on the output of a submission that ended well. When it fails, it is also asked about the case's
 * answer: a Judge Error costs a submission nothing, so none may get one for an output that a checker cannot read.
 */
import { STATUS } from '#contract/verdicts'
import type { Limits, RunResult } from '../sandbox/box.ts'
import {
  bytesOf,
  describeFailure,
  FAILURE_BUDGET,
  type CompiledJudgeProgram,
  JudgeProgramError,
  type Outcome,
  outcomeOf,
  withRoomForFiles,
} from './judge-program.ts'
import {
  type CaseFiles,
  type Referee,
  runSubmission,
  type Submission,
  type Trial,
} from './referee.ts'
import { type CaseLimits, isOutOfProportion } from './run-limits.ts'
import { verdictOfEnd } from './verdict.ts'

type Decision = Pick<Trial, 'verdict' | 'note'>

export class Checker implements Referee {
  private readonly submission: Submission
  private readonly checker: CompiledJudgeProgram
  /** How long it may still fail, in wall limits. A failure takes up to two. */
  private failureBudget = FAILURE_BUDGET
  private lastDecision: Promise<Decision> | null = null

  constructor(submission: Submission, checker: CompiledJudgeProgram) {
    this.submission = submission
    this.checker = checker
  }

  async try(files: CaseFiles, limits: CaseLimits, again: boolean): Promise<Trial> {
    const { name, input, expected } = files
    const answerBytes = await bytesOf(expected)
    // In place of the output it may have to look at the answer.
    const outputBytes = Math.max(limits.outputKb * 1024, answerBytes)
    const bytes = (await bytesOf(input)) + answerBytes + outputBytes
    const checkerLimits = withRoomForFiles(this.checker, name, bytes)
    const result = await runSubmission(this.submission, files, limits, again)
    const verdict = verdictOfEnd(result, limits)
    const decision =
      verdict === null ? await this.decide(files, checkerLimits) : { verdict, note: null }
    return { result, reference: expected, ...decision }
  }

  close(): Promise<void> {
    return this.checker.close()
  }

  /**
   * Decides on an output. A checker that has failed for too long is not asked again: its last decision stands.
   * @throws JudgeProgramError when it failed and the output is not to blame
   */
  private decide(files: CaseFiles, limits: Limits): Promise<Decision> {
    if (this.lastDecision === null || this.failureBudget > 0)
      this.lastDecision = this.ask(files, limits)
    return this.lastDecision
  }

  private async ask(files: CaseFiles, limits: Limits): Promise<Decision> {
    const { name, input, output, expected } = files
    const { outcome, result } = await this.run(files, limits)
    if (outcome.failure === null) return { verdict: outcome.verdict, note: null }
    const describe = (about: string) =>
      describeFailure(this.checker, `${name}${about}`, outcome.failure, result.stderr)
    this.failureBudget -= result.wallMs / limits.wallMs
    // Such as an output that is better than the answer: not the submission's fault.
    if (outcome.onPurpose) throw new JudgeProgramError(describe(''))
    const control = await this.run({ ...files, output: expected }, limits)
    this.failureBudget -= control.result.wallMs / limits.wallMs
    const controlWasStopped = control.result.fired !== null || control.result.oomKilled
    const outputBytes = await bytesOf(output)
    const isLarge = isOutOfProportion(outputBytes, await bytesOf(input), await bytesOf(expected))
    if (isLarge && !controlWasStopped) {
      const note = describe(` with an output of ${outputBytes} bytes, out of proportion to it`)
      return { verdict: STATUS.OLE, note: `Output Limit Exceeded: ${note}` }
    }
    if (control.outcome.verdict === STATUS.AC) {
      const note = describe(', whose answer it accepts')
      return { verdict: STATUS.WA, note: `Wrong Answer: ${note}` }
    }
    throw new JudgeProgramError(describe(', whose answer it does not accept either'))
  }

  private async run(
    { input, output, expected }: CaseFiles,
    limits: Limits,
  ): Promise<{ outcome: Outcome; result: RunResult }> {
    const { box, output: ownOutput, argv } = this.checker
    await ownOutput.truncate()
    const files = { input, output, answer: expected }
    const result = await box.run({ argv, input: null, output: ownOutput, files, limits })
    return { outcome: outcomeOf(result, limits), result }
  }
}
