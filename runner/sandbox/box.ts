/**
 * What the rest of the runner knows of the sandbox: a box compiles and runs one submission.
 *
 * User code never sees a host path, and nothing privileged opens a path inside a box after user code ran.
 * An error is always the runner's own (`SandboxError`); what the program did is in the result.
 */
import type { FileHandle } from 'node:fs/promises'

/** What a program may use. CPU counts user and system time of all its threads and children. */
export interface Limits {
  cpuMs: number
  wallMs: number
  memoryKb: number
  /** Bytes of standard output after which the program is stopped. */
  outputBytes: number
  pids: number
  /** Size of the fresh working directory and of any file in it, in bytes. */
  workDirBytes: number
}

/** The limit that fired first, if any. */
export type FiredLimit = 'output' | 'memory' | 'cpu' | 'wall'

/** Of two programs that talk: whose end came first, seen from the one whose helper relays. */
export type ClosedFirst = 'program' | 'peer'

/** How a run went. Exactly one of `exitCode` and `signal` is set. */
export interface RunResult {
  fired: FiredLimit | null
  /** Whether no limit, but the request's `stop` ended it. */
  stopped: boolean
  exitCode: number | null
  signal: number | null
  cpuMs: number
  wallMs: number
  /** Peak of the run's own cgroup and the size of the program itself, in KB. */
  memoryKb: number
  /** Whether the kernel killed any process of the run for memory. */
  oomKilled: boolean
  /** Bytes written to standard output, up to the limit; they are in the request's `output`. */
  outputBytes: number
  /** The first 64 KiB of standard error and the number of bytes written in all. */
  stderr: Uint8Array
  stderrBytes: number
  /** Only for `relays` of `attach`: the program closed its output first, or its peer no longer read it. */
  closedFirst: ClosedFirst | null
  /** Of its wall time, in ms: while others had the core, or it waited for the program it talks with. As far as was seen. */
  waitedMs: number
}

/** Files placed read-only in the working directory of a run, under these names. */
export interface PlacedFiles {
  input?: FileHandle
  output?: FileHandle
  answer?: FileHandle
}

export interface RunRequest {
  /** argv[0] is an absolute path inside the box; the artefact is at `/box/<artefact name>`. */
  argv: readonly string[]
  /**
   * Standard input, read from its start; null is empty. The program cannot follow its path.
   * `attached`: the conversation of `attach`; standard output goes to the peer as well as into `output`.
   */
  input: FileHandle | 'attached' | null
  /** Receives standard output from its start; an empty file opened for reading and writing. */
  output: FileHandle
  /** Their bytes count against `workDirBytes`. */
  files?: PlacedFiles
  limits: Limits
  /** Sees what a compile step sees, for tools of ours; no program of a stranger does. */
  seesCompiler?: boolean
  /** Only for `waits` of `attach`: settles when the peer has ended; the wall limit counts from then. */
  peerEnd?: Promise<unknown>
  /** Settles when the run need not go on. */
  stop?: Promise<unknown>
}

/** Of two programs that talk: the one whose helper relays, or the one that may wait for the other. */
export type TalkPart = 'relays' | 'waits'

/** What two programs that talk with each other share; see `converse`. */
interface Attachment {
  part: TalkPart
  /** Pipes: what the peer writes, and what it reads. */
  input: FileHandle
  output: FileHandle
  /** An empty file that both sides have. */
  account: FileHandle
  /** Only for `relays`: an empty file that receives what the peer writes. */
  peerOutput?: FileHandle
}

export interface CompileRequest {
  source: Uint8Array
  /** Name of the source file in the box's working directory, e.g. `main.c`. */
  sourceName: string
  /** Absolute paths inside the box; runs with the working directory as current directory. */
  argv: readonly string[]
  /** The file to keep from the working directory for `run`: a regular file, at most `artefactBytes`. */
  artefact: string
  artefactBytes: number
  /** What its program will see of the host besides devices: absolute paths without links among the directories. */
  runtime: readonly string[]
  limits: Limits
}

export interface CompileResult extends RunResult {
  /** Standard output and error of the compiler in the order written, at most 64 KiB; raw bytes. */
  message: Uint8Array
  /** Whether the compiler ended with exit code 0 and left a fit artefact. */
  ok: boolean
}

/** One submission's box. */
export interface Box {
  compile(request: CompileRequest): Promise<CompileResult>
  /** One case: fresh working directory, fresh cgroup. Only after a `compile` that was ok. */
  run(request: RunRequest): Promise<RunResult>
  /** Takes its part of a conversation for the next run; the files may be closed afterwards. */
  attach(attachment: Attachment): Promise<void>
  close(): Promise<void>
}
