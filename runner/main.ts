/** Starts a runner: settings, host check, slots, registration. Then it works until a signal stops it. */
import { mkdir } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CALIBRATION } from '#contract/limits'
import { backoffMs } from './lib/backoff.ts'
import { calibrate, slowness } from './host/calibrate.ts'
import { checkHost, problemLines } from './host/check-host.ts'
import { ConfigError, readConfig, type RunnerConfig } from './config.ts'
import { type Identity, IdentityStore } from './server/identity.ts'
import { describeError, logToStdout as log } from './lib/log.ts'
import { ProgramCache } from './compile/program-cache.ts'
import { ResultOutbox } from './server/outbox.ts'
import { Runner } from './runner.ts'
import { openSlot } from './sandbox/slot.ts'
import { SandboxError } from './sandbox/errors.ts'
import { lockSlots, SlotsTakenError } from './host/slot-lock.ts'
import { SlotPool } from './host/slot-pool.ts'
import { ServerClient } from './server/client.ts'
import { lockStateDir } from './host/state-lock.ts'
import { RefusedError } from './server/errors.ts'
import { TestDataCache } from './test-data/store.ts'
import { prepareTools } from './host/tools.ts'
import { Updates } from './host/updates.ts'
import { warmUp } from './host/warm-up.ts'
import packageJson from '../package.json' with { type: 'json' }

/** The project's version, which a runner tells the server. */
const VERSION = packageJson.version

/** Why the runner does not start: one problem a line, each with its fix. */
class StartError extends Error {
  override name = 'StartError'
}

/** Registers; retries until the server answers. @throws StartError when the server refuses */
async function register(server: ServerClient, stop: AbortSignal): Promise<Identity> {
  for (let failures = 1; ; failures++) {
    try {
      return await server.register()
    } catch (error) {
      if (error instanceof RefusedError && !error.isFromServer) throw new StartError(error.message)
      if (error instanceof RefusedError)
        throw new StartError(
          `The server refuses this runner (${error.message}). Check SERVER_URL, and that RUNNER_REGISTRATION_TOKEN is the token the server was deployed with.`,
        )
      log('register_failed', { error: describeError(error) })
      await sleep(backoffMs(failures, { baseMs: 500, maxMs: 30_000 }), undefined, { signal: stop })
    }
  }
}

/** Slots that have judged a program of every language. */
interface WarmSlots {
  pool: SlotPool
  /** Language id → version. */
  languages: Record<string, string>
  calibrationMs: number
}

async function openWarm(
  config: RunnerConfig,
  firstSlot: number,
  toolsDir: string | undefined,
): Promise<WarmSlots> {
  const scratchDir = join(config.stateDir, 'scratch')
  const open = (index: number) => openSlot({ index: firstSlot + index, toolsDir })
  const pool = await SlotPool.start(config.slots, scratchDir, open, log)
  try {
    const slot = pool.take()
    if (!slot) throw new StartError('There is no slot to judge in.')
    const { versions: languages, problems } = await warmUp(slot)
    if (problems.length > 0) throw new StartError(problems.join('\n'))
    const calibrationMs = await calibrate(slot)
    pool.putBack(slot)
    log('languages', languages)
    log('calibrated', { calibrationMs, referenceMs: CALIBRATION.referenceMs })
    const slow = slowness(calibrationMs)
    if (slow) log('slow_host', slow)
    return { pool, languages, calibrationMs }
  } catch (error) {
    await pool.close()
    throw error
  }
}

/** Opens the slots. If boxes cannot reach the precompiled headers, it leaves them out: they only save time. */
async function startSlots(config: RunnerConfig, firstSlot: number): Promise<WarmSlots> {
  const toolsDir = await prepareTools(join(config.stateDir, 'tools'), log)
  try {
    return await openWarm(config, firstSlot, toolsDir)
  } catch (error) {
    if (toolsDir === undefined || !(error instanceof SandboxError)) throw error
    log('tools_unusable', { error: describeError(error) })
    return openWarm(config, firstSlot, undefined)
  }
}

/** Locks the state directory; goes on without a lock where the file system has no sockets. */
async function takeStateDir(stateDir: string): Promise<void> {
  const ours = await lockStateDir(stateDir).catch((error: unknown) => {
    log('state_not_locked', { error: describeError(error) })
    return true
  })
  if (!ours)
    throw new StartError(
      `Another runner is at work in ${stateDir}. Give each a RUNNER_STATE_DIR of its own.`,
    )
}

/** Runs until drained. */
async function main(stop: AbortSignal): Promise<void> {
  const config = readConfig(process.env)
  const firstSlot = await lockSlots(config.firstSlot, config.slots)
  const host = await checkHost(firstSlot)
  if (!host.ok) {
    throw new StartError(
      ['This machine cannot judge safely:', ...problemLines(host.problems)].join('\n'),
    )
  }
  // Everybody may enter the directory, because boxes reach the tools in it. Secret files in it have stricter modes.
  await mkdir(config.stateDir, { recursive: true, mode: 0o755 })
  await takeStateDir(config.stateDir)
  const { pool, languages, calibrationMs } = await startSlots(config, firstSlot)
  const { name, slots, stateDir } = config
  const identities = new IdentityStore(stateDir)
  const introduction = { version: VERSION, host: { ...host.hostInfo, languages, calibrationMs } }
  const server = new ServerClient(config, { name, slots, ...introduction }, identities)
  const testDataDir = join(stateDir, 'test-data')
  const testData = await TestDataCache.open(testDataDir, config.testDataCacheBytes, server.download)
  const programsDir = join(stateDir, 'programs')
  const compiler = await ProgramCache.open({ directory: programsDir, versions: languages, log })
  const outbox = await ResultOutbox.open(join(stateDir, 'results'), server, log)
  try {
    const { runnerId, config: settings } = await register(server, stop)
    flushCompileCache()
    log('ready', {
      runnerId,
      name,
      firstSlot,
      slots,
      version: VERSION,
      cgroup: host.cgroup,
      queue: !!config.queue,
    })
    const hasQueue = config.queue !== null
    const runner = new Runner({
      server,
      settings,
      introduction,
      hasQueue,
      pool,
      testData,
      compiler,
      outbox,
      updates: new Updates(stateDir, log),
      log,
    })
    stop.addEventListener('abort', () => runner.drain())
    if (stop.aborted) runner.drain()
    await runner.run()
  } finally {
    await pool.close()
  }
}

const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
try {
  await main(stop.signal)
  log('stopped')
  process.exit(0)
} catch (error) {
  if (stop.signal.aborted) {
    // A signal to the whole process group also ends the processes that a start waits for.
    log('stopped', { error: describeError(error) })
    process.exit(0)
  }
  const isPlain =
    error instanceof ConfigError || error instanceof SlotsTakenError || error instanceof StartError
  process.stderr.write(`${isPlain ? error.message : describeError(error)}\n`)
  process.exit(1)
}
