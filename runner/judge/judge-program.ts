/**
 * Programs of teachers that judge: checkers and interactors. They follow testlib's calling convention and exit codes,
 * run in the sandbox like any program, and when one fails it is never the submission's fault.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { JudgeProgram } from '#contract/problems/compare'
import { cutText } from '#contract/cut-text'
import { languageOfId, type Language } from '#contract/languages'
import { STATUS } from '#contract/verdicts'
import { cleanCompileMessage } from '../compile/message.ts'
import type { Compiler } from '../compile/program-cache.ts'
import type { Box, Limits, RunResult } from '../sandbox/box.ts'
import type { Slot } from '../sandbox/slot.ts'
import { tar } from '../lib/tar.ts'

/** A checker or interactor that failed: a Judge Error. The message is for staff. */
export class JudgeProgramError extends Error {
  override name = 'JudgeProgramError'
}

/** The limits of a checker or interactor, without the room for a case's files (see `withRoomForFiles`). */
export const JUDGE_PROGRAM_LIMITS: Limits = {
  cpuMs: 10_000,
  wallMs: 20_000,
  memoryKb: 512 * 1024,
  outputBytes: 1024 * 1024,
  pids: 32,
  workDirBytes: 64 * 1024 * 1024,
}

/**
 * The time that its failures may take in one submission, in wall limits. A Judge Error is free for the submission, so it
 * must not cost a slot more time than a slow program could, however many subtasks there are.
 */
export const FAILURE_BUDGET = 3

/** The most bytes that input, output and answer of one case may have together. */
const FILES_BYTES = 512 * 1024 * 1024
const MB = 1024 * 1024

/** Exit code of a Python program after an uncaught exception. Python itself would exit with 1, which says "wrong answer". */
const UNCAUGHT = 70

/** Writes the exception before its traceback, because staff are shown the first line. */
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

/** The command with its three files. What an interactor writes to `output` is thrown away. */
function argvOf({ language }: JudgeProgram): string[] {
  const { runArgv } = languageOfId(language)
  const start = language === 'py3' ? [...runArgv.slice(0, -1), '-c', PYTHON_START] : []
  return [...start, ...runArgv.slice(-1), 'input', 'output', 'answer']
}

/** What to compile, and how. The sandbox takes one file: header files come with the source in an archive. */
function compilationOf(program: JudgeProgram): { language: Language; source: Buffer } {
  const language = languageOfId(program.language)
  const { source, headers = [] } = program
  if (headers.length === 0) return { language, source: Buffer.from(source) }
  const file = 'program.tar'
  const unpacked = `/usr/bin/tar -xmf ${file} --no-same-owner && exec "$@"`
  return {
    language: {
      ...language,
      file,
      compileArgv: ['/usr/bin/sh', '-c', unpacked, 'sh', ...language.compileArgv],
    },
    source: tar(
      [...headers, { name: language.file, text: source }].map(({ name, text }) => ({
        name,
        content: Buffer.from(text),
      })),
    ),
  }
}

/** A checker or interactor in its box. */
export interface CompiledJudgeProgram {
  mode: JudgeProgram['mode']
  argv: readonly string[]
  box: Box
  /** Receives its standard output. */
  output: FileHandle
  limits: Limits
  close(): Promise<void>
}

/**
 * Compiles a program in the slot's second box.
 * @throws JudgeProgramError with the compiler's message; SandboxError when we failed
 */
export async function openJudgeProgram(
  program: JudgeProgram,
  slot: Slot,
  compiler: Compiler,
  scratchDir: string,
  limits: Limits,
): Promise<CompiledJudgeProgram> {
  const { mode } = program
  const box = await slot.openRefereeBox()
  const { language, source } = compilationOf(program)
  const compiled = await compiler.compile(box, language, source)
  if (!compiled.ok) {
    await box.close()
    throw new JudgeProgramError(`The ${mode} does not compile: ${compiled.message}`)
  }
  const output = await open(join(scratchDir, 'referee-output'), 'w+', 0o600)
  return {
    mode,
    argv: argvOf(program),
    box,
    output,
    limits,
    async close() {
      await output.close()
      await box.close()
    },
  }
}

/** The total size of some files, bytes. */
export async function bytesOf(...files: FileHandle[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await file.stat()).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * A program's limits with room for a case's files in its working directory.
 * @param fileBytes the most that all files together may have
 * @throws JudgeProgramError when that is too much: the problem's author must hear of it at the first try
 */
export function withRoomForFiles(
  { mode, limits }: CompiledJudgeProgram,
  caseName: string,
  fileBytes: number,
): Limits {
  if (fileBytes <= FILES_BYTES) return { ...limits, workDirBytes: limits.workDirBytes + fileBytes }
  throw new JudgeProgramError(
    `Case ${caseName} is too large for a ${mode}: input, answer and output limit are ${Math.ceil(fileBytes / MB)} MB together, and at most ${FILES_BYTES / MB} MB are allowed. Lower the subtask's output limit or make the files smaller.`,
  )
}

/** A program's verdict on the submission, or how it failed. `onPurpose`: the program itself reported a failure. */
export type Outcome =
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

/** Reads a program's decision from how its run ended. */
export function outcomeOf(result: RunResult, limits: Limits): Outcome {
  const ended = result.fired === null && !result.oomKilled
  if (ended && result.exitCode === ACCEPTED) return { verdict: STATUS.AC, failure: null }
  if (ended && REJECTED.has(result.exitCode)) return { verdict: STATUS.WA, failure: null }
  const onPurpose = ended && result.exitCode === FAILED
  return { verdict: null, failure: failureOf(result, limits), onPurpose }
}

/** A failure in words, with the first line that the program wrote to standard error. */
export function describeFailure(
  { mode }: CompiledJudgeProgram,
  caseName: string,
  failure: string,
  stderr: Uint8Array,
): string {
  const complaint = cleanCompileMessage(stderr)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
  const said = complaint === undefined ? '.' : `: ${cutText(complaint, 500)}`
  return `The ${mode} ${failure} on case ${caseName}${said}`
}
