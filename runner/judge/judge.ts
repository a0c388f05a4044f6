/**
 * One job from source to result: compile, run the cases of each subtask in order, compare.
 * Three outcomes that never mix: what the program did is the returned verdict; a fault of the test data is
 * returned as a Judge Error with its reason; a failure of ours is thrown, and the job is handed back.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Job, ProgressReport, ResultReport } from '#contract/judging'
import { languageOfId } from '#contract/languages'
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
import { KeptOutputs } from './kept-output.ts'
import { COMPILE_ANEW, type Compiler } from '../compile/program-cache.ts'
import { openReferee, type Referee } from './referee.ts'
import { MAX_SECOND_RUNS, secondRunLimits } from './run-limits.ts'
import type { Limits } from '../sandbox/box.ts'
import type { Slot } from '../sandbox/slot.ts'
import { TestDataError } from '../test-data/zip.ts'
import type { TestData, TestDataRef } from '../test-data/store.ts'
import { isNearMiss } from './verdict.ts'

/** A result without the lease that will fence it. */
export type Judgement = Omit<ResultReport, 'lease'>
/** A progress report without that lease. */
export type Progress = Omit<ProgressReport, 'lease'>

export interface JudgeTools {
  slot: Slot
  acquireTestData: (ref: TestDataRef) => Promise<TestData>
  /** Shared by all slots of this machine. */
  gate: CaseGate
  /** What this runner remembers; without them everything is compiled and run. */
  compiler?: Compiler
  cases?: CaseCache
  /** What checkers and interactors may use; tests wait for less. */
  refereeLimits?: Limits
  /** A directory of this slot's own, for the program's output. */
  scratchDir: string
  onProgress: (progress: Progress) => void
  /** Aborted when the result is no longer wanted; heeded between cases. */
  signal: AbortSignal
}

const SKIPPED: CaseResult = { status: null, runTime: null, memoryUsage: null }
const JUDGE_ERROR: CaseResult = { ...SKIPPED, status: STATUS.JE }
/** Characters of a reason that a report has room for. */
const REASON_LENGTH = 2_000

/** Whether the test data, or a checker or interactor is to blame: the teacher's to mend, not ours. */
function isFaultOfData(error: unknown): error is Error {
  return error instanceof TestDataError || error instanceof JudgeProgramError
}

/**
 * Judges a job.
 * @throws SandboxError, or what `acquireTestData` threw, when we failed; the signal's reason when aborted
 */
export async function judge(job: Job, tools: JudgeTools): Promise<Judgement> {
  const total = job.tasks.reduce((sum, task) => sum + task.caseCount, 0)
  // The download and the compiler do not wait for each other. A Compile Error needs no test data at all.
  const testData = tools.acquireTestData(job.testData)
  testData.catch(() => {})
  try {
    const box = await tools.slot.openBox()
    try {
      tools.onProgress({ phase: 'compiling', done: 0, total })
      const language = languageOfId(job.language)
      const source = Buffer.from(job.source, 'base64')
      const { compiler = COMPILE_ANEW } = tools
      const compiled = await compiler.compile(box, language, source)
      if (!compiled.ok) return withoutRun(job, STATUS.CE, { compileMessage: compiled.message })
      const { slot, scratchDir, refereeLimits: limits } = tools
      const submission = { box, argv: language.runArgv }
      const refereeTools = { slot, compiler, scratchDir, limits }
      const referee = await openReferee(job.compare, submission, refereeTools)
      try {
        const loaded = { referee, program: compiled.program }
        return await new CaseRunner(job, tools, loaded, await testData, total).runTasks()
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

function withoutRun(
  job: Job,
  status: Verdict,
  why: { compileMessage?: string; reason?: string },
): Judgement {
  const caseCounts = job.tasks.map((task) => task.caseCount)
  return {
    ...outcomeWithoutRun(status, caseCounts),
    compileMessage: why.compileMessage ?? null,
    reason: why.reason?.slice(0, REASON_LENGTH) ?? null,
    outputs: [],
  }
}

/** A file of the test data; one that is not there is a fault of the data. */
async function openTestFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new TestDataError(`${basename(path)} is missing from the test data`, { cause: error })
    throw error
  }
}

/** Who judges the cases. `program` names the bytes of what is judged where they are known. */
interface Loaded {
  referee: Referee
  program: string | null
}

/** The cases of one job in one box. */
class CaseRunner {
  private readonly job: Job
  private readonly tools: JudgeTools
  private readonly loaded: Loaded
  private readonly data: TestData
  private readonly total: number
  private readonly kept = new KeptOutputs()
  private done = 0
  private secondRuns = 0
  /** What staff should know: of the first case that is a fault of the data, else of the first that came close to one. */
  private reason: string | null = null
  private note: string | null = null

  constructor(job: Job, tools: JudgeTools, loaded: Loaded, data: TestData, total: number) {
    this.job = job
    this.tools = tools
    this.loaded = loaded
    this.data = data
    this.total = total
  }

  async runTasks(): Promise<Judgement> {
    this.reportProgress()
    const tasks: SubtaskResult[] = []
    for (const [index, subtask] of this.job.tasks.entries())
      tasks.push(await this.runTask(index, subtask))
    return {
      ...judgeOutcome(tasks),
      compileMessage: null,
      reason: (this.reason ?? this.note)?.slice(0, REASON_LENGTH) ?? null,
      outputs: this.kept.reported,
    }
  }

  private reportProgress(): void {
    this.tools.onProgress({ phase: 'running', done: this.done, total: this.total })
  }

  /** Stops at the first failure; what comes after it is skipped. */
  private async runTask(task: number, subtask: Subtask): Promise<SubtaskResult> {
    const results: CaseResult[] = []
    for (let index = 0; index < subtask.caseCount; index++) {
      const failed = results.some(({ status }) => status !== STATUS.AC)
      results.push(failed ? SKIPPED : await this.resultOf(task, index, subtask))
      this.done++
      this.reportProgress()
    }
    return judgeSubtask(results, subtask.taskScore)
  }

  /** What is known of a case, or what running it tells. */
  private async resultOf(task: number, index: number, subtask: Subtask): Promise<CaseResult> {
    const { data, job, loaded, tools } = this
    const { program } = loaded
    const inputPath = data.inputPath(task, index)
    const expectedPath = data.expectedPath(task, index)
    const key = await tools.cases?.keyOf({ job, program, subtask, inputPath, expectedPath })
    const known = key && tools.cases?.find(key)
    if (known) return known
    const result = await this.runCase(task, index, subtask).catch((error: unknown) => {
      // The other subtasks are judged all the same.
      if (!isFaultOfData(error)) throw error
      this.reason ??= error.message
      return JUDGE_ERROR
    })
    if (key) tools.cases?.keep(key, result, subtask)
    return result
  }

  private async runCase(task: number, index: number, subtask: Subtask): Promise<CaseResult> {
    const { data, tools } = this
    const { referee } = this.loaded
    await tools.gate.enter()
    tools.signal.throwIfAborted()
    const opened: FileHandle[] = []
    const keep = async (opening: Promise<FileHandle>) => {
      const file = await opening
      opened.push(file)
      return file
    }
    try {
      const files = {
        name: caseName(task, index),
        expected: await keep(openTestFile(data.expectedPath(task, index))),
        input: await keep(openTestFile(data.inputPath(task, index))),
        // One file for all cases: emptied by every open.
        output: await keep(open(join(tools.scratchDir, 'output'), 'w+', 0o600)),
      }
      let trial = await referee.try(files, subtask, false)
      if (isNearMiss(trial.result, subtask) && this.secondRuns < MAX_SECOND_RUNS) {
        this.secondRuns++
        await files.output.truncate()
        const { wallMs } = secondRunLimits(subtask)
        trial = await tools.gate.alone(wallMs, () => referee.try(files, subtask, true))
      }
      const { result, verdict, beside, note } = trial
      this.note ??= note
      if (verdict !== STATUS.AC || subtask.taskScore === 0)
        await this.kept.keep({ task, case: index }, result, files.output, beside)
      return {
        status: verdict,
        runTime: Math.round(result.cpuMs),
        memoryUsage: Math.round(result.memoryKb),
      }
    } finally {
      await Promise.all(opened.map((file) => file.close()))
    }
  }
}

/** A case as its files are named: subtask and case, two digits each. */
function caseName(task: number, index: number): string {
  return [task, index].map((number) => String(number).padStart(2, '0')).join('')
}
