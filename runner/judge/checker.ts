/**
 * Asks a checker about an output. One that fails is asked about the case's answer, too: a program must not get a
 * Judge Error, which costs it nothing, for whatever a checker cannot read.
 */
import type { FileHandle } from 'node:fs/promises'
import type { JudgeProgram } from '#contract/compare'
import { STATUS, type Verdict } from '#contract/verdicts'
import {
  describeFailure,
  FAILURE_PATIENCE,
  judgeProgramArgv,
  JudgeProgramError,
  type Said,
  saidBy,
} from './judge-program.ts'
import { isOutOfProportion } from './run-limits.ts'
import type { Box, Limits, RunResult } from '../sandbox/box.ts'

/** `note`: what staff should know of it. */
interface Decision {
  verdict: Verdict
  note: string | null
}

/** The files of a case; `expected` is its answer. */
interface CheckedFiles {
  name: string
  input: FileHandle
  output: FileHandle
  expected: FileHandle
}

export class Checker {
  private readonly program: JudgeProgram
  private readonly box: Box
  /** Receives what it writes. */
  private readonly own: FileHandle
  /** How long it may still fail, in wall limits; each failure takes up to two. */
  private patience = FAILURE_PATIENCE
  private last: Promise<Decision> | null = null

  constructor(program: JudgeProgram, box: Box, own: FileHandle) {
    this.program = program
    this.box = box
    this.own = own
  }

  /**
   * Decides on the output of a program that ended well. A checker that has failed for too long is not asked again:
   * what it last came to stands.
   * @throws JudgeProgramError when it failed and the output is not to blame
   */
  decide(files: CheckedFiles, limits: Limits): Promise<Decision> {
    if (this.last === null || this.patience > 0) this.last = this.ask(files, limits)
    return this.last
  }

  private async ask(files: CheckedFiles, limits: Limits): Promise<Decision> {
    const { name, input, output, expected } = files
    const { said, result } = await this.run(files, limits)
    if (said.failure === null) return { verdict: said.verdict, note: null }
    const describe = (about: string) =>
      describeFailure(this.program, `${name}${about}`, said.failure, result.stderr)
    this.patience -= result.wallMs / limits.wallMs
    // Such as an output that is better than the answer: not the program's fault.
    if (said.onPurpose) throw new JudgeProgramError(describe(''))
    const control = await this.run({ ...files, output: expected }, limits)
    this.patience -= control.result.wallMs / limits.wallMs
    const controlWasStopped = control.result.fired !== null || control.result.oomKilled
    const [inputBytes = 0, outputBytes = 0, answerBytes = 0] = await Promise.all(
      [input, output, expected].map(async (file) => (await file.stat()).size),
    )
    if (isOutOfProportion(outputBytes, inputBytes, answerBytes) && !controlWasStopped) {
      const note = describe(` with an output of ${outputBytes} bytes, out of proportion to it`)
      return { verdict: STATUS.OLE, note: `Output Limit Exceeded: ${note}` }
    }
    if (control.said.verdict === STATUS.AC) {
      const note = describe(', whose answer it accepts')
      return { verdict: STATUS.WA, note: `Wrong Answer: ${note}` }
    }
    throw new JudgeProgramError(describe(', whose answer it does not accept either'))
  }

  private async run(
    { input, output, expected }: CheckedFiles,
    limits: Limits,
  ): Promise<{ said: Said; result: RunResult }> {
    const { program, box, own } = this
    await own.truncate()
    const argv = judgeProgramArgv(program)
    const files = { input, output, answer: expected }
    const result = await box.run({ argv, input: null, output: own, files, limits })
    return { said: saidBy(result, limits), result }
  }
}
