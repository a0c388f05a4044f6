/**
 * A checker decides on the output of a submission that ended well. A checker that fails is also run on the case's
 * answer. A Judge Error costs a submission nothing, so an output that only confuses the checker must not lead to one.
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
  /** How much time its failures may still take, in wall limits. One failure takes up to two. */
  private failureBudget = FAILURE_BUDGET
  private lastDecision: Promise<Decision> | null = null

  constructor(submission: Submission, checker: CompiledJudgeProgram) {
    this.submission = submission
    this.checker = checker
  }

  async try(files: CaseFiles, limits: CaseLimits, again: boolean): Promise<Trial> {
    const { name, input, expected } = files
    const answerBytes = await bytesOf(expected)
    // The checker may get the answer in place of the output.
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
   * Decides on an output. When the checker's failures have used up their time, it is not run again: its last decision stands.
   * @throws JudgeProgramError when the checker failed and the output is not to blame
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
    // For example, the output is better than the answer, which is not the submission's fault.
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
