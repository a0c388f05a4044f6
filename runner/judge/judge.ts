/**
 * Judges one job, from source to result: compile, then run the cases of each subtask in order.
 * Three outcomes never mix. It returns a verdict for what the program did. For a fault of the test data it returns a
 * Judge Error with the reason. A failure of the runner is thrown, and the job is handed back.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { cutText } from '#contract/cut-text'
import type { Job, ProgressReport, ResultReport, TestDataRef } from '#contract/judging'
import { languageOfId } from '#contract/languages'
import { REASON_LENGTH } from '#contract/limits'
import type { Subtask } from '#contract/problems'
import {
  type CaseResult,
  judgeOutcome,
  judgeSubtask,
  outcomeWithoutRun,
  STATUS,
  type SubtaskResult,
  type Verdict,
} from '#contract/verdicts'
import type { CaseCache } from './case-cache.ts'
import type { CaseGate } from './case-gate.ts'
import { JudgeProgramError } from './judge-program.ts'
import { KeptOutputs, readStart } from './kept-output.ts'
import { mistakeOfCase, mistakeOfCompilation } from './mistake.ts'
import { COMPILE_ANEW, type Compiler } from '../compile/program-cache.ts'
import { comparing, openReferee } from './open-referee.ts'
import type { CaseFiles, Referee, Submission, Trial } from './referee.ts'
import { type CaseLimits, caseLimitsOf, MAX_SECOND_RUNS, secondRunLimits } from './run-limits.ts'
import type { Limits } from '../sandbox/box.ts'
import type { Slot } from '../sandbox/slot.ts'
import { TestDataError } from '../test-data/zip.ts'
import { placeInputs } from '../test-data/inputs.ts'
import { caseName, type TestData } from '../test-data/store.ts'
import { endOf, isNearMiss } from './verdict.ts'

/** A result without the lease that the runner sends with it. */
export type Judgement = Omit<ResultReport, 'lease'>
/** A progress report without the lease. */
export type Progress = Omit<ProgressReport, 'lease'>

export interface JudgeTools {
  slot: Slot
  acquireTestData: (ref: TestDataRef) => Promise<TestData>
  /** Shared by all slots of this runner. */
  gate: CaseGate
  /** `compiler` and `cases` remember what was compiled and run before; without them everything is compiled and run anew. */
  compiler?: Compiler
  cases?: CaseCache
  /** The limits of checkers and interactors; tests lower them. */
  refereeLimits?: Limits
  /** A directory of this slot's own, for outputs. */
  scratchDir: string
  onProgress: (progress: Progress) => void
  /** Aborted when the result is no longer wanted. This ends the compiler, or the case's run unless it talks with an interactor. */
  signal: AbortSignal
}

const SKIPPED: CaseResult = { status: null, runTime: null, memoryUsage: null }
const JUDGE_ERROR: CaseResult = { ...SKIPPED, status: STATUS.JE }

/** Whether the test data, a checker or an interactor is to blame, which the teacher can mend. */
function isFaultOfData(error: unknown): error is Error {
  return error instanceof TestDataError || error instanceof JudgeProgramError
}

/** Whether any output is compared. A sample run on the person's own inputs compares no output. */
function needsReferee(testData: Job['testData']): boolean {
  return !('inputs' in testData) || testData.inputs.some(({ expected }) => expected !== null)
}

/**
 * Judges a job.
 * @throws SandboxError, or what `acquireTestData` threw, when we failed; the signal's reason when aborted
 */
export async function judge(job: Job, tools: JudgeTools): Promise<Judgement> {
  const total = job.tasks.reduce((sum, subtask) => sum + subtask.caseCount, 0)
  // Download and compiler do not wait for each other. A Compile Error needs no test data at all.
  const testData =
    'inputs' in job.testData
      ? placeInputs(job.testData, tools.scratchDir)
      : tools.acquireTestData(job.testData)
  testData.catch(() => {})
  try {
    const box = await tools.slot.openBox()
    try {
      tools.onProgress({ phase: 'compiling', done: 0, total })
      const language = languageOfId(job.language)
      const source = Buffer.from(job.source, 'base64')
      const { compiler = COMPILE_ANEW } = tools
      const compiled = await compiler.compile(box, language, source, tools.signal)
      if (!compiled.ok) return withoutRun(job, STATUS.CE, { compileMessage: compiled.message })
      const { slot, scratchDir, refereeLimits: limits } = tools
      const submission = { box, argv: language.runArgv, signal: tools.signal }
      const refereeTools = { slot, compiler, scratchDir, limits }
      const referee = needsReferee(job.testData)
        ? await openReferee(job.compare, submission, refereeTools)
        : comparing(submission, null)
      try {
        const loaded = { referee, submission, program: compiled.program }
        return await new CaseRunner(job, tools, loaded, await testData, total).runSubtasks()
      } finally {
        await referee.close()
      }
    } finally {
      await box.close()
    }
  } catch (error) {
    if (isFaultOfData(error)) return withoutRun(job, STATUS.JE, { reason: error.message })
    throw error
  } finally {
    void testData.then(
      (data) => data.release(),
      () => {},
    )
  }
}

function toReason(text: string | null): string | null {
  return text === null ? null : cutText(text, REASON_LENGTH)
}

function withoutRun(
  job: Job,
  status: Verdict,
  why: { compileMessage?: string; reason?: string },
): Judgement {
  const caseCounts = job.tasks.map((subtask) => subtask.caseCount)
  const { compileMessage = null, reason = null } = why
  const hasMistake = compileMessage !== null && !('inputs' in job.testData)
  return {
    ...outcomeWithoutRun(status, caseCounts),
    compileMessage,
    reason: toReason(reason),
    mistake: hasMistake ? mistakeOfCompilation(compileMessage) : null,
    outputs: [],
  }
}

/** Opens a file of the test data. A missing file is a fault of the data. */
async function openTestFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new TestDataError(`${basename(path)} is missing from the test data`, { cause: error })
    throw error
  }
}

/** The parts that are ready once the submission has compiled. */
interface Loaded {
  referee: Referee
  submission: Submission
  /** The hash of the compiled submission; null when it is not known. */
  program: string | null
}

/** Runs the cases of one job in one box. */
class CaseRunner {
  private readonly job: Job
  private readonly tools: JudgeTools
  private readonly loaded: Loaded
  private readonly data: TestData
  private readonly total: number
  private readonly kept = new KeptOutputs()
  private done = 0
  private secondRuns = 0
  /** For staff: the first fault of the data, else the first note of a referee, because the report has room for one. */
  private reason: string | null = null
  private note: string | null = null
  /** The fingerprint of the first failing case, which decides the verdict unless another case is a Judge Error. */
  private mistake: string | null = null

  constructor(job: Job, tools: JudgeTools, loaded: Loaded, data: TestData, total: number) {
    this.job = job
    this.tools = tools
    this.loaded = loaded
    this.data = data
    this.total = total
  }

  async runSubtasks(): Promise<Judgement> {
    this.reportProgress()
    const subtasks: SubtaskResult[] = []
    for (const [index, subtask] of this.job.tasks.entries())
      subtasks.push(await this.runSubtask(index, subtask))
    const outcome = judgeOutcome(subtasks)
    return {
      ...outcome,
      compileMessage: null,
      reason: toReason(this.reason ?? this.note),
      mistake: outcome.status === STATUS.JE ? null : this.mistake,
      outputs: this.kept.reported,
    }
  }

  private reportProgress(): void {
    this.tools.onProgress({ phase: 'running', done: this.done, total: this.total })
  }

  /** Runs the cases of a subtask until one fails, and skips the others. */
  private async runSubtask(subtaskIndex: number, subtask: Subtask): Promise<SubtaskResult> {
    const results: CaseResult[] = []
    for (let caseIndex = 0; caseIndex < subtask.caseCount; caseIndex++) {
      const failed = results.some(({ status }) => status !== STATUS.AC)
      results.push(failed ? SKIPPED : await this.resultOf(subtaskIndex, caseIndex, subtask))
      this.done++
      this.reportProgress()
    }
    return judgeSubtask(results, subtask.taskScore)
  }

  /** The result of a case, from the cache or from a run. */
  private async resultOf(
    subtaskIndex: number,
    caseIndex: number,
    subtask: Subtask,
  ): Promise<CaseResult> {
    const { data, job, loaded, tools } = this
    const { program } = loaded
    const inputPath = data.inputPath(subtaskIndex, caseIndex)
    const expectedPath = data.expectedPath(subtaskIndex, caseIndex)
    const key = await tools.cases?.keyOf({ job, program, subtask, inputPath, expectedPath })
    const known = key && tools.cases?.find(key)
    if (known) return known
    const limits = caseLimitsOf(subtask)
    const result = await this.runCase(subtaskIndex, caseIndex, subtask, limits).catch(
      (error: unknown) => {
        // The other subtasks are still judged.
        if (!isFaultOfData(error)) throw error
        this.reason ??= error.message
        return JUDGE_ERROR
      },
    )
    if (key) tools.cases?.keep(key, result, limits)
    return result
  }

  private async runCase(
    subtaskIndex: number,
    caseIndex: number,
    subtask: Subtask,
    limits: CaseLimits,
  ): Promise<CaseResult> {
    const { data, job, tools } = this
    await tools.gate.enter()
    tools.signal.throwIfAborted()
    const opened: FileHandle[] = []
    const keepOpen = async (opening: Promise<FileHandle>) => {
      const file = await opening
      opened.push(file)
      return file
    }
    try {
      const files = {
        name: caseName(subtaskIndex, caseIndex),
        expected: await keepOpen(openTestFile(data.expectedPath(subtaskIndex, caseIndex))),
        input: await keepOpen(openTestFile(data.inputPath(subtaskIndex, caseIndex))),
        // All cases share one file: each opening empties it.
        output: await keepOpen(open(join(tools.scratchDir, 'output'), 'w+', 0o600)),
      }
      const { result, verdict, reference, note } = await this.tryCase(subtaskIndex, files, limits)
      this.note ??= note
      const end = endOf(verdict, result, limits)
      if (verdict !== STATUS.AC || subtask.sample) {
        const where = { task: subtaskIndex, case: caseIndex }
        const output = await readStart(files.output)
        await this.kept.keep(where, result, output, reference)
        if (verdict !== STATUS.AC && !('inputs' in job.testData))
          this.mistake ??= mistakeOfCase(job, { ...where, verdict, end, output, ...result })
      }
      return {
        status: verdict,
        runTime: Math.round(result.cpuMs),
        memoryUsage: Math.round(result.memoryKb),
        ...(end && { end }),
      }
    } finally {
      await Promise.all(opened.map((file) => file.close()))
    }
  }

  /** Runs a case, and a near miss a second time. A sample run has no second runs: no other slot should wait for it. */
  private async tryCase(
    subtaskIndex: number,
    files: CaseFiles,
    limits: CaseLimits,
  ): Promise<Trial> {
    const { testData } = this.job
    const isRun = 'inputs' in testData
    const isOwnInput = isRun && testData.inputs[subtaskIndex]?.expected === null
    const referee = isOwnInput ? comparing(this.loaded.submission, null) : this.loaded.referee
    const trial = await referee.try(files, limits, false)
    if (isRun) return trial
    if (!isNearMiss(trial.result, limits) || this.secondRuns >= MAX_SECOND_RUNS) return trial
    this.secondRuns++
    await files.output.truncate()
    const { wallMs } = secondRunLimits(limits)
    return this.tools.gate.alone(wallMs, () => referee.try(files, limits, true))
  }
}
