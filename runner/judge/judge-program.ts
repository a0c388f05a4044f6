/**
 * Programs of teachers that judge: checkers and interactors, by the calling convention and the exit codes of
 * testlib. They are sandboxed like any program, and what goes wrong with them is never the submission's fault.
 */
import type { JudgeProgram } from '#contract/compare'
import { languageOfId } from '#contract/languages'
import { STATUS } from '#contract/verdicts'
import { cleanCompileMessage } from '../compile/message.ts'
import type { Compiler } from '../compile/program-cache.ts'
import type { Box, Limits, RunResult } from '../sandbox/box.ts'
import type { Slot } from '../sandbox/slot.ts'

/** A checker or interactor that failed: a Judge Error, whose reason is for staff. */
export class JudgeProgramError extends Error {
  override name = 'JudgeProgramError'
}

/** What a checker or interactor may use besides its files, which lie in memory too. */
export const JUDGE_PROGRAM_LIMITS: Limits = {
  cpuMs: 10_000,
  wallMs: 20_000,
  memoryKb: 512 * 1024,
  outputBytes: 1024 * 1024,
  pids: 32,
  workDirBytes: 64 * 1024 * 1024,
}

/**
 * Failures take this many of its wall limits of one judgement, however many subtasks there are: a Judge Error is free,
 * and must not cost a slot more than a slow program could.
 */
export const FAILURE_PATIENCE = 3

/** Input, output and answer of one case together, in bytes. */
const FILES_BYTES = 512 * 1024 * 1024
const MB = 1024 * 1024

/** How a Python program ends after an exception that nobody caught; by itself it ends with 1, "wrong answer". */
const UNCAUGHT = 70

/** Puts the exception itself first, because staff are shown the first line. */
const PYTHON_START = `
import os, runpy, sys, traceback
def fail(kind, error, trace):
    try:
        sys.stderr.write(''.join(traceback.format_exception_only(kind, error)))
        traceback.print_tb(trace)
        sys.stderr.flush()
    finally:
        os._exit(${UNCAUGHT})
sys.excepthook = fail
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name='__main__')
`

/** The command of a program with its three files. An interactor may write to `output`; it is thrown away. */
export function judgeProgramArgv({ language }: JudgeProgram): string[] {
  const { runArgv } = languageOfId(language)
  const start = language === 'py3' ? [...runArgv.slice(0, -1), '-c', PYTHON_START] : []
  return [...start, ...runArgv.slice(-1), 'input', 'output', 'answer']
}

/**
 * Compiles a program in the slot's second box.
 * @throws JudgeProgramError with the compiler's message; SandboxError when we failed
 */
export async function openJudgeProgram(
  program: JudgeProgram,
  slot: Slot,
  compiler: Compiler,
): Promise<Box> {
  const box = await slot.openRefereeBox()
  const source = Buffer.from(program.source)
  const compiled = await compiler.compile(box, languageOfId(program.language), source)
  if (compiled.ok) return box
  await box.close()
  throw new JudgeProgramError(`The ${program.mode} does not compile: ${compiled.message}`)
}

/**
 * Limits with room for a case's files in the program's working directory.
 * @param bytes of all of them, at most
 * @throws JudgeProgramError when they are too large: whoever made the problem must hear of it at the first try
 */
export function withRoom(
  limits: Limits,
  { mode }: JudgeProgram,
  caseName: string,
  bytes: number,
): Limits {
  if (bytes <= FILES_BYTES) return { ...limits, workDirBytes: limits.workDirBytes + bytes }
  throw new JudgeProgramError(
    `Case ${caseName} is too large for a ${mode}: input, answer and output limit are ${Math.ceil(bytes / MB)} MB together, and at most ${FILES_BYTES / MB} MB are allowed. Lower the subtask's output limit or make the files smaller.`,
  )
}

/**
 * What a program said about the submission; `failure`: how it ended without saying anything. `onPurpose`: it says itself
 * that the fault is not the submission's.
 */
export type Said =
  | { verdict: typeof STATUS.AC | typeof STATUS.WA; failure: null }
  | { verdict: null; failure: string; onPurpose: boolean }

/**
 * Exit codes of testlib: ok; wrong answer, wrong format, left-over output, partial points, early end of
 * output. A subtask scores in full or not at all, so points are not accepted either.
 */
const ACCEPTED = 0
const REJECTED: ReadonlySet<number | null> = new Set([1, 2, 4, 7, 8])
const FAILED = 3

function failureOf(result: RunResult, limits: Limits): string {
  switch (result.fired) {
    case 'cpu':
      return `exceeded its time limit of ${limits.cpuMs} ms`
    case 'wall':
      return `did not end within ${limits.wallMs} ms`
    case 'memory':
      return `exceeded its memory limit of ${limits.memoryKb / 1024} MB`
    case 'output':
      return `wrote more than ${limits.outputBytes / MB} MB`
    case null:
      if (result.signal !== null) return `was ended by signal ${result.signal}`
      if (result.exitCode === FAILED) return 'reported a failure of its own (exit code 3)'
      return result.exitCode === UNCAUGHT
        ? `ended with exit code ${UNCAUGHT}, an exception that nothing caught,`
        : `ended with exit code ${result.exitCode}, which is no verdict,`
  }
}

/** What the end of a program says. */
export function saidBy(result: RunResult, limits: Limits): Said {
  const ended = result.fired === null && !result.oomKilled
  if (ended && result.exitCode === ACCEPTED) return { verdict: STATUS.AC, failure: null }
  if (ended && REJECTED.has(result.exitCode)) return { verdict: STATUS.WA, failure: null }
  const onPurpose = ended && result.exitCode === FAILED
  return { verdict: null, failure: failureOf(result, limits), onPurpose }
}

/** A failure in words, with the first line of what the program complained about. */
export function describeFailure(
  { mode }: JudgeProgram,
  caseName: string,
  failure: string,
  stderr: Uint8Array,
): string {
  const complaint = cleanCompileMessage(stderr)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
  const said = complaint === undefined ? '.' : `: ${complaint.slice(0, 500)}`
  return `The ${mode} ${failure} on case ${caseName}${said}`
}

/** The Judge Error of a failure. */
export function failureOn(...what: Parameters<typeof describeFailure>): JudgeProgramError {
  return new JudgeProgramError(describeFailure(...what))
}
