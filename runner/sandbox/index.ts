/**
 * The sandbox as the rest of the runner sees it: slots that open boxes, boxes that compile and run.
 * Everything below this interface is the C helper in `native/` and the pipe that leads to it.
 *
 * A box lives for one submission. User code never sees a host path; nothing privileged opens a path
 * inside a box after user code ran. An error thrown from here is always the runner's own
 * (`SandboxError`), never the program's: what the program did is in the result.
 */
import type { FileHandle } from 'node:fs/promises'
import { buildHelper } from './build.ts'
import { prepareCgroup } from './cgroup.ts'
import { coreOfSlot } from './cores.ts'
import { SandboxError } from './errors.ts'
import { startHelper } from './helper.ts'
import type { Helper } from './helper.ts'
import { REQUEST_KIND } from './protocol.ts'
import type { HelperReply, HelperRequest, TalkPart } from './protocol.ts'

export { SandboxError }

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

/** What two programs that talk with each other share; see `converse`. */
export interface Attachment {
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

/** One judging slot: a helper process pinned to a core, used for one submission at a time. */
export interface Slot {
  openBox(): Promise<Box>
  /** A second box beside it, on the same core with ids of its own: for the checker or interactor. */
  openRefereeBox(): Promise<Box>
  close(): Promise<void>
}

/** How to open a slot. */
export interface SlotOptions {
  /** Unique on the machine: chooses the core (counted round) and the host ids. */
  index: number
  /** A host directory that programs see read-only at `/tools`, e.g. precompiled headers. */
  toolsDir?: string
  /** Another helper binary; tests use the one with sanitizers. */
  binary?: string
}

/**
 * Host ids of the first slot; each slot takes two, and two for its referee. 60578 to 61183 is kept
 * free by the conventions of Linux distributions (systemd, "Users, Groups, UIDs and GIDs") and fits into 16 bits, so that it
 * exists in a container's own user namespace too.
 */
const FIRST_ID = 60_578
export const MAX_SLOTS = 150

/**
 * The host's user ids in the boxes of a slot: root of the box, and the programs' own. Nobody else has them.
 * A runner without CAP_SETUID has but its own id for both.
 */
export function slotUsers(index: number, referee = false): [root: number, program: number] {
  const root = FIRST_ID + 4 * index + (referee ? 2 : 0)
  return [root, root + 1]
}

/**
 * Opens a slot: builds the helper if need be, finds the cgroup, starts the helper. Must be called
 * from the main thread: the helper's life is tied to the thread that started it (prctl(2),
 * PR_SET_PDEATHSIG).
 * @throws SandboxError when the host cannot hold a sandbox; `checkHost` says how to fix it.
 */
export async function openSlot(options: SlotOptions): Promise<Slot> {
  if (!Number.isInteger(options.index) || options.index < 0 || options.index >= MAX_SLOTS)
    throw new RangeError(`slot index ${options.index} is not between 0 and ${MAX_SLOTS - 1}`)
  const binary = options.binary ?? (await buildHelper())
  const place = await prepareCgroup()
  const cgroups = place.version === 'v2' ? [place.dir] : [place.memory, place.cpuacct, place.pids]
  const args = (root: number) =>
    [coreOfSlot(options.index), root, options.toolsDir ?? '-', place.version, ...cgroups].map(
      String,
    )
  const start = (referee: boolean) =>
    startHelper(binary, args(slotUsers(options.index, referee)[0]))
  const program = new HelperSeat(() => start(false))
  // Most problems need none: its helper starts with the first box.
  const referee = new HelperSeat(() => start(true))
  await program.start()
  return {
    openBox: () => program.openBox(),
    openRefereeBox: () => referee.openBox(),
    async close() {
      await Promise.all([program.close(), referee.close()])
    },
  }
}

/** The place of one helper, and of the next one should it fail. */
class HelperSeat {
  private readonly startHelper: () => Promise<Helper>
  private helper: Helper | null = null
  private closed = false

  constructor(start: () => Promise<Helper>) {
    this.startHelper = start
  }

  /** A helper that answers. After a failure one is dead or about to be; a new one starts from nothing. */
  async start(): Promise<Helper> {
    if (this.closed) throw new SandboxError('the slot is closed')
    if (this.helper?.alive()) return this.helper
    await this.helper?.close()
    this.helper = await this.startHelper()
    // Closed while it started: nobody else would end it.
    if (this.closed) await this.helper.close()
    return this.helper
  }

  async openBox(): Promise<Box> {
    const helper = await this.start()
    await helper.request({ kind: REQUEST_KIND.openBox })
    return boxOf(helper)
  }

  async close(): Promise<void> {
    this.closed = true
    await this.helper?.close()
  }
}

/** The part of a result that compiling and running share. Time and memory in whole ms and KB. */
function toRunResult(reply: HelperReply): RunResult {
  return {
    fired: reply.fired,
    stopped: reply.stopped,
    exitCode: reply.exitCode,
    signal: reply.signal,
    cpuMs: Math.round(reply.cpuUs / 1000),
    wallMs: Math.round(reply.wallUs / 1000),
    memoryKb: Math.ceil(reply.memoryBytes / 1024),
    oomKilled: reply.oomKills > 0,
    outputBytes: reply.outputBytes,
    stderr: reply.tail,
    stderrBytes: reply.stderrBytes,
    closedFirst: reply.closedFirst,
    waitedMs: reply.waitedMs,
  }
}

/** The box that is open in this helper. */
function boxOf(helper: Helper): Box {
  let compiled = false
  let closed = false

  function requireOpen() {
    if (closed) throw new SandboxError('the box is closed')
  }

  return {
    async compile(request) {
      requireOpen()
      compiled = false
      const reply = await helper.request({ ...request, kind: REQUEST_KIND.compile })
      compiled = reply.fired === null && reply.artefact === 'kept'
      return {
        ...toRunResult(reply),
        stderr: new Uint8Array(),
        message: reply.tail,
        ok: compiled,
      }
    },
    async run(request) {
      requireOpen()
      if (!compiled) throw new SandboxError('nothing has been compiled in this box')
      const { argv, limits, input, output, files, seesCompiler, peerEnd, stop } = request
      const placed = [files?.input, files?.output, files?.answer]
      const run: HelperRequest = {
        kind: REQUEST_KIND.run,
        argv,
        limits,
        inputFd: input === 'attached' ? -1 : (input?.fd ?? -1),
        outputFd: output.fd,
        fileFds: placed.map((file) => file?.fd ?? -1),
        seesCompiler,
        ...(input === 'attached' && { attached: peerEnd ? 'waits' : 'relays' }),
      }
      return toRunResult(await helper.request(run, { peerEnd, stop }))
    },
    async attach({ part, input, output, account, peerOutput }) {
      requireOpen()
      await helper.request({
        kind: REQUEST_KIND.attach,
        attached: part,
        inputFd: input.fd,
        outputFd: output.fd,
        fileFds: [account.fd, peerOutput?.fd ?? -1],
      })
    },
    async close() {
      if (closed) return
      closed = true
      if (helper.alive()) await helper.request({ kind: REQUEST_KIND.closeBox })
    },
  }
}
