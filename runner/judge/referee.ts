/**
 * Who decides on a case: runs the submission and says what came of it. By comparing files, by a checker that
 * looks at the output, or by an interactor that talks with the submission while it runs.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { CompareMode, JudgeProgram } from '#contract/compare'
import type { Subtask } from '#contract/problems'
import { STATUS, type Verdict } from '#contract/verdicts'
import { Checker } from './checker.ts'
import type { Comparison } from '../compare/compare.ts'
import { filesMatch } from '../compare/thread.ts'
import {
  describeFailure,
  failureOn,
  FAILURE_PATIENCE,
  JUDGE_PROGRAM_LIMITS,
  judgeProgramArgv,
  type JudgeProgramError,
  openJudgeProgram,
  saidBy,
  withRoom,
} from './judge-program.ts'
import type { Compiler } from '../compile/program-cache.ts'
import { interactorLimits, runLimits, secondRunLimits, SILENCE_LIMITS } from './run-limits.ts'
import { converse, type Side } from '../sandbox/converse.ts'
import type { Box, Limits, RunResult } from '../sandbox/box.ts'
import type { Slot } from '../sandbox/slot.ts'
import { openUnnamedFile } from '../lib/unnamed-file.ts'
import { verdictOfCase, verdictOfEnd, verdictOfFailure, verdictOfTalk } from './verdict.ts'

/** A case with its files open; `output` is empty and receives what the submission writes. */
interface CaseFiles {
  /** As in the names of its files, e.g. `0102`. */
  name: string
  input: FileHandle
  expected: FileHandle
  output: FileHandle
}

/** What came of a run. `beside`: what people are shown next to the output; `note`: what staff should know. */
interface Trial {
  result: RunResult
  verdict: Verdict
  beside: FileHandle
  note: string | null
}

export interface Referee {
  /**
   * @param again whether this is the second run of a near miss
   * @throws JudgeProgramError when the checker or interactor failed, SandboxError when we did
   */
  try(files: CaseFiles, subtask: Subtask, again: boolean): Promise<Trial>
  close(): Promise<void>
}

/** The submission's box, and its command. */
interface Submission {
  box: Box
  argv: readonly string[]
}

async function run(
  { box, argv }: Submission,
  { input, output }: CaseFiles,
  limits: Limits,
): Promise<RunResult> {
  return box.run({ argv, input, output, limits })
}

function limitsOf(subtask: Subtask, again: boolean): Limits {
  return again ? secondRunLimits(subtask) : runLimits(subtask)
}

function comparing(submission: Submission, comparison: Comparison): Referee {
  return {
    async try(files, subtask, again) {
      const { output, expected } = files
      const result = await run(submission, files, limitsOf(subtask, again))
      const matches = () => filesMatch(comparison, output, expected)
      const verdict = await verdictOfCase(result, subtask, matches)
      return { result, verdict, beside: expected, note: null }
    },
    async close() {},
  }
}

/** Sizes of files in bytes, added up. */
async function bytesOf(...files: FileHandle[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await file.stat()).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** A checker or interactor, ready to run. */
interface Official {
  program: JudgeProgram
  box: Box
  /** Receives what it writes. */
  own: FileHandle
  limits: Limits
}

async function closeOfficial({ own, box }: Official): Promise<void> {
  await own.close()
  await box.close()
}

function checking(submission: Submission, official: Official): Referee {
  const { program, box, own } = official
  const checker = new Checker(program, box, own)
  return {
    async try(files, subtask, again) {
      const { name, input, expected } = files
      const answerBytes = await bytesOf(expected)
      // In place of the output it may have to look at the answer.
      const outputBytes = Math.max(subtask.outputLimit * 1024, answerBytes)
      const bytes = (await bytesOf(input)) + answerBytes + outputBytes
      const limits = withRoom(official.limits, program, name, bytes)
      const result = await run(submission, files, limitsOf(subtask, again))
      const verdict = verdictOfEnd(result, subtask)
      const decision =
        verdict === null ? await checker.decide(files, limits) : { verdict, note: null }
      return { result, beside: expected, ...decision }
    },
    close: () => closeOfficial(official),
  }
}

/** What staff read in front of how the interactor failed. */
const BLAMED_FOR = new Map<Verdict, string>([
  [STATUS.WA, 'Wrong Answer'],
  [STATUS.TLE, 'Time Limit Exceeded'],
  [STATUS.OLE, 'Output Limit Exceeded'],
])

/** Reads all that an interactor says, and says nothing before that is over. */
const SILENT_ARGV = ['/usr/bin/wc', '-c'] as const

/**
 * Whether an interactor fails on a case even when nobody tells it anything: then it has failed because of the case or of
 * itself, whatever the submission said meanwhile.
 */
async function failsUntold(submission: Box, interactor: Side, dir: string): Promise<boolean> {
  const said = await openUnnamedFile(dir)
  const heard = await openUnnamedFile(dir)
  try {
    const silent = { argv: SILENT_ARGV, output: said, limits: SILENCE_LIMITS, seesCompiler: true }
    const limits = { ...interactor.request.limits, wallMs: SILENCE_LIMITS.wallMs }
    const [first, second] = await converse(
      { box: submission, request: silent },
      { box: interactor.box, request: { ...interactor.request, output: heard, limits } },
      dir,
      () => true,
    )
    return first.closedFirst === 'peer' && saidBy(second, limits).failure !== null
  } finally {
    await Promise.all([said, heard].map((file) => file.close()))
  }
}

function interacting({ box, argv }: Submission, official: Official, dir: string): Referee {
  const { program, own } = official
  const ownArgv = judgeProgramArgv(program)
  /** How long it may still fail, in wall limits; then its last failure stands for what is left. */
  let patience = FAILURE_PATIENCE
  let failure: JudgeProgramError | null = null
  return {
    async try({ name, input, expected, output }, subtask) {
      if (failure !== null && patience <= 0) throw failure
      const room = withRoom(official.limits, program, name, await bytesOf(input, expected))
      const limits = interactorLimits(room)
      const files = { input, answer: expected }
      const interactor = {
        box: official.box,
        request: { argv: ownArgv, output: own, files, limits },
      }
      await own.truncate()
      const [result, other] = await converse(
        { box, request: { argv, output, limits: runLimits(subtask) } },
        interactor,
        dir,
        // Nothing that the submission still does could make it right.
        (end) => saidBy(end, limits).verdict !== STATUS.AC,
      )
      const said = saidBy(other, limits)
      const verdict = verdictOfTalk(result, subtask, said.verdict, other)
      if (verdict !== null) return { result, verdict, beside: own, note: null }
      const ended = result.closedFirst === 'program' && result.fired === null
      const hung = other.fired === 'wall'
      const after = ended || hung ? ' after the submission had ended' : ''
      const what = [program, name, `${said.failure}${after}`, other.stderr] as const
      const onPurpose = said.failure !== null && said.onPurpose
      const blamed = verdictOfFailure(result, other, onPurpose)
      patience -= Math.max(other.cpuMs, other.wallMs - result.wallMs) / limits.wallMs
      if (blamed === null || (await failsUntold(box, interactor, dir))) {
        failure = failureOn(...what)
        throw failure
      }
      const note = `${BLAMED_FOR.get(blamed)}: ${describeFailure(...what)}`
      return { result, verdict: blamed, beside: own, note }
    },
    close: () => closeOfficial(official),
  }
}

/** What a referee needs of the runner. */
interface RefereeTools {
  slot: Slot
  compiler: Compiler
  /** A directory of this slot's own. */
  scratchDir: string
  /** What a checker or interactor may use. */
  limits?: Limits
}

/**
 * The referee of a job.
 * @throws JudgeProgramError when its program does not compile
 */
export async function openReferee(
  compare: CompareMode,
  submission: Submission,
  { slot, compiler, scratchDir, limits = JUDGE_PROGRAM_LIMITS }: RefereeTools,
): Promise<Referee> {
  if (compare.mode !== 'checker' && compare.mode !== 'interactor')
    return comparing(submission, compare)
  const box = await openJudgeProgram(compare, slot, compiler)
  const own = await open(join(scratchDir, 'referee-output'), 'w+', 0o600)
  const official = { program: compare, box, own, limits }
  return compare.mode === 'checker'
    ? checking(submission, official)
    : interacting(submission, official, scratchDir)
}
