/** Opens slots: a slot judges one submission at a time on a core of its own, with user ids of its own. */
import type { Box, RunResult } from './box.ts'
import { buildHelper } from './build.ts'
import { directoriesOf, prepareCgroup } from './cgroup.ts'
import { coreOfSlot } from './cores.ts'
import { SandboxError } from './errors.ts'
import { Helper } from './helper.ts'
import { type HelperReply, type HelperRequest, REQUEST_KIND } from './protocol.ts'

export interface Slot {
  openBox(): Promise<Box>
  /** A second box on the same core, with ids of its own: for the checker or interactor. */
  openRefereeBox(): Promise<Box>
  close(): Promise<void>
}

export interface SlotOptions {
  /** Number of the slot, unique on the machine. It chooses the core and the user ids. */
  index: number
  /** A host directory that compile steps see read-only at `/tools`, e.g. precompiled headers. */
  toolsDir?: string
  /** Another helper binary; tests use the binary with sanitizers. */
  binary?: string
}

/**
 * The first user id of the first slot. A slot takes two for its programs and two for checkers and interactors. Linux
 * distributions keep 60578 to 61183 free (systemd, "Users, Groups, UIDs and GIDs"). The range fits into 16 bits, so it
 * exists in a container's user namespace too.
 */
const FIRST_ID = 60_578
/** The most slots on one machine: the range of ids has no room for more. */
export const MAX_SLOTS = 150

/**
 * The host's user ids of a slot's boxes: root of the box, and the programs' own. Nobody else has them.
 * A runner without CAP_SETUID uses its own id for both.
 */
export function slotUsers(index: number, referee = false): [root: number, program: number] {
  const root = FIRST_ID + 4 * index + (referee ? 2 : 0)
  return [root, root + 1]
}

/**
 * Opens a slot: builds the helper if needed, finds the cgroup, starts the helper. Call it from the main thread: the
 * helper ends with the thread that started it (prctl(2), PR_SET_PDEATHSIG).
 * @throws SandboxError when the host cannot hold a sandbox; `checkHost` says how to fix it
 */
export async function openSlot(options: SlotOptions): Promise<Slot> {
  if (!Number.isInteger(options.index) || options.index < 0 || options.index >= MAX_SLOTS)
    throw new RangeError(`slot index ${options.index} is not between 0 and ${MAX_SLOTS - 1}`)
  const binary = options.binary ?? (await buildHelper())
  const cgroup = await prepareCgroup()
  const dirs = directoriesOf(cgroup)
  const core = coreOfSlot(options.index)
  const start = (referee: boolean) => {
    const [root] = slotUsers(options.index, referee)
    const args = [String(core), String(root), options.toolsDir ?? '-', cgroup.version, ...dirs]
    return Helper.start(binary, args)
  }
  const program = new RenewableHelper(() => start(false))
  // Most problems need no referee: its helper starts with its first box.
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

  /** Returns a working helper: the present one, or a new one if that has failed. */
  async start(): Promise<Helper> {
    if (this.closed) throw new SandboxError('the slot is closed')
    if (this.helper?.isAlive) return this.helper
    await this.helper?.close()
    this.helper = await this.startHelper()
    // The slot was closed while it started, so only this call ends it.
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

/** Turns the helper's µs and bytes into whole ms and KB. No other function converts units. */
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
    async compile({ stop, ...request }) {
      requireOpen()
      compiled = false
      const reply = await helper.request({ ...request, kind: REQUEST_KIND.compile }, { stop })
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
      if (helper.isAlive) await helper.request({ kind: REQUEST_KIND.closeBox })
    },
  }
}
