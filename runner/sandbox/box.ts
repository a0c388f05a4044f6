/**
 * The interface of the sandbox: a box compiles and runs one submission.
 *
 * User code never sees a host path. After user code ran, no privileged process opens a path inside the box, except that of the
 * artefact. An error is always the runner's own (`SandboxError`); what the program did is in the result.
 */
import type { FileHandle } from 'node:fs/promises'

/** The limits of a run. CPU time is user and system time of all threads and children. */
export interface Limits {
  cpuMs: number
  wallMs: number
  memoryKb: number
  /** Bytes of standard output after which the program is stopped. */
  outputBytes: number
  pids: number
  /** Size of the working directory, and of any file in it. */
  workDirBytes: number
}

/** The limit that fired first, if any. */
export type FiredLimit = 'output' | 'memory' | 'cpu' | 'wall'

/** Which of two talking programs ended first. `program` is the one whose helper relays, `peer` the other one. */
export type ClosedFirst = 'program' | 'peer'

/** How a run went. Exactly one of `exitCode` and `signal` is set. */
export interface RunResult {
  fired: FiredLimit | null
  /** Whether the request's `stop` ended it, not a limit. */
  stopped: boolean
  exitCode: number | null
  signal: number | null
  cpuMs: number
  wallMs: number
  /** Peak of the run's cgroup plus the read-only part of the program's file; never less than the size of the whole file. */
  memoryKb: number
  /** Whether the kernel killed a process of the run for memory. */
  oomKilled: boolean
  /** Bytes in the request's `output`: what was written to standard output, up to the limit. */
  outputBytes: number
  /** The first 64 KiB of standard error. */
  stderr: Uint8Array
  /** All bytes written to standard error. */
  stderrBytes: number
  /** Only for the program that `relays`: whether it closed its output first, or its peer stopped reading first. */
  closedFirst: ClosedFirst | null
  /** How much of the wall time the program waited for its peer or for a core that other programs had, as far as was measured. */
  waitedMs: number
}

/** Files that a run finds read-only in its working directory, under these names. */
export interface PlacedFiles {
  input?: FileHandle
  output?: FileHandle
  answer?: FileHandle
}

export interface RunRequest {
  /** argv[0] is an absolute path inside the box. The artefact is at `/box/<artefact name>`. */
  argv: readonly string[]
  /**
   * Standard input, read from its start; null: empty.
   * `attached`: the output of the peer of `attach`. Standard output then goes to the peer as well as into `output`.
   */
  input: FileHandle | 'attached' | null
  /** Receives standard output: an empty file, open for reading and writing. */
  output: FileHandle
  /** Files to place. Their bytes count against `workDirBytes`. */
  files?: PlacedFiles
  limits: Limits
  /** Whether the program sees what a compile step sees. For our own tools only. */
  seesCompiler?: boolean
  /** Only for the program that `waits`: settles when its peer has ended. The wall limit counts from then. */
  peerEnd?: Promise<unknown>
  /** When it settles, the run is stopped. */
  stop?: Promise<unknown>
}

/** The two parts of a conversation: the helper of one program relays the output of both; the other program may wait for its peer. */
export type TalkPart = 'relays' | 'waits'

/** The files of one part of a conversation; see `converse`. */
interface Attachment {
  part: TalkPart
  /** The pipe that the peer writes to. */
  input: FileHandle
  /** The pipe that the peer reads from. */
  output: FileHandle
  /** An empty file that both parts share. */
  account: FileHandle
  /** Only for the part `relays`: an empty file that receives all output of the peer. */
  peerOutput?: FileHandle
}

export interface CompileRequest {
  source: Uint8Array
  /** Name of the source file in the working directory, e.g. `main.c`. */
  sourceName: string
  /** Absolute paths inside the box. Runs in the working directory. */
  argv: readonly string[]
  /** The file of the working directory to keep for `run`: a regular file of at most `artefactBytes`. */
  artefact: string
  artefactBytes: number
  /** The host paths that its program will see: absolute, without links among the directories. */
  runtime: readonly string[]
  limits: Limits
  /** When it settles, the compiler is stopped; the result says `stopped`. */
  stop?: Promise<unknown>
}

export interface CompileResult extends RunResult {
  /** Standard output and error of the compiler in the order written: the first 64 KiB, raw. */
  message: Uint8Array
  /** Whether the compiler ended with exit code 0 and left an artefact that fits. */
  ok: boolean
}

/** One submission's box. */
export interface Box {
  compile(request: CompileRequest): Promise<CompileResult>
  /** Runs one case in a fresh working directory, with limits and accounting of its own. Only after a `compile` that was ok. */
  run(request: RunRequest): Promise<RunResult>
  /** Prepares the next run's part in a conversation. The files may be closed afterwards. */
  attach(attachment: Attachment): Promise<void>
  close(): Promise<void>
}
