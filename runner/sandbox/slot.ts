/** Opens the slots of this machine: each is a pair of helper processes on a core, with host ids of its own. */
import type { Box, RunResult } from './box.ts'
import { buildHelper } from './build.ts'
import { prepareCgroup } from './cgroup.ts'
import { coreOfSlot } from './cores.ts'
import { SandboxError } from './errors.ts'
import { type Helper, startHelper } from './helper.ts'
import { type HelperReply, type HelperRequest, REQUEST_KIND } from './protocol.ts'

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
  const program = new RenewableHelper(() => start(false))
  // Most problems need none: its helper starts with the first box.
  const referee = new RenewableHelper(() => start(true))
  await program.start()
  return {
    openBox: () => program.openBox(),
    openRefereeBox: () => referee.openBox(),
    async close() {
      await Promise.all([program.close(), referee.close()])
    },
  }
}

/** A helper that is replaced once it has failed. */
class RenewableHelper {
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
