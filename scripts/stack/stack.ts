/**
 * Everything that runs on one machine: the Worker, the queue stand-in and the runners, each in a process
 * group of its own. `npm start`, `npm run dev` and the browser tests all start it from here.
 */
import { join, resolve } from 'node:path'
import type { Health } from '#contract/installation/health'
import { DEMO_ADMIN } from '../demo/accounts.ts'
import { prepareDatabase } from './local-database.ts'
import { PlainError } from '../plain-error.ts'
import { logTail, type ProcessGroup } from '../process/process-group.ts'
import type { RunnerProcess } from './runner-process.ts'
import {
  environmentOfRunners,
  fireCron,
  prepareSite,
  type Site,
  startQueue,
  startRunners,
  startWorker,
  untilAnswering,
  untilHealthy,
} from './stack-parts.ts'

/** wrangler and workerd have this long to close their files. */
const WRANGLER_GRACE_MS = 5_000
/** A runner has this long to finish its jobs or hand them back. */
const RUNNER_GRACE_MS = 20_000
const CRON_INTERVAL_MS = 60_000

interface StackOptions {
  port: number
  /** Address that the Worker listens on, default 127.0.0.1. */
  listen?: string
  /** The folder of the local D1, R2, queue, runner caches and logs. */
  stateDir: string
  runners: number
  /** More variables of the Worker, e.g. `SUBMIT_LIMIT_PER_MINUTE`; null: no variables, not even those of a local stack. */
  variables?: Record<string, string> | null
  /** More environment of every runner. */
  runnerEnvironment?: Record<string, string>
  /** Stops a start that is under way. */
  signal?: AbortSignal
  /** Receives one line for each thing that happens. */
  log?: (line: string) => void
}

export interface Stack {
  /** e.g. `http://127.0.0.1:8787` */
  url: string
  stateDir: string
  runners: RunnerProcess[]
  /** Environment of one more runner, without its name, state folder and first slot. */
  runnerEnvironment: Record<string, string>
  /** Rejects with a `PlainError` when a part that cannot be restarted has died. */
  failure: Promise<never>
  /** Resolves once the Worker answers, the database works and all runners have reported. */
  untilHealthy(): Promise<Health>
  /** Fires the Worker's cron trigger; also happens every minute. */
  runCron(): Promise<void>
  /** Ends the Worker at once, as a crash would; `startWorker` brings it back. */
  killWorker(): Promise<void>
  startWorker(): Promise<void>
  /** Process id of wrangler, which starts workerd. */
  workerPid(): number
  /** The Worker's inspector (Chrome DevTools Protocol). */
  inspectorUrl: URL
  /** Ends the queue stand-in at once; `startQueue` brings it back with its messages. */
  killQueue(): Promise<void>
  startQueue(): Promise<void>
  /** Ends everything, the runners first. Safe to call twice. */
  stop(): Promise<void>
}

/** Watches the processes that hold state. If one of them ends unasked, the stack has failed. */
function watchServices() {
  const services = new Set<ProcessGroup>()
  let isOver = false
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  failure.catch(() => {})
  async function watch(group: ProcessGroup): Promise<void> {
    services.add(group)
    // This process started while the stack was already ending.
    if (isOver) return end(group, 0)
    const how = await group.ended
    if (services.has(group))
      fail(new PlainError(`${group.name} has ended (${how}):\n${logTail(group)}`))
  }
  async function end(group: ProcessGroup, graceMs: number): Promise<void> {
    services.delete(group)
    await group.end(graceMs)
  }
  async function endAll(graceMs: number): Promise<void> {
    isOver = true
    await Promise.all([...services].map((group) => end(group, graceMs)))
  }
  return { failure, watch, end, endAll }
}

/** A service that can be ended and started again; `begin` returns a function that waits until it is ready. */
function restartable(
  watched: ReturnType<typeof watchServices>,
  spawn: () => Promise<ProcessGroup>,
  url: string,
  signal: AbortSignal | undefined,
) {
  let group: ProcessGroup | undefined
  async function begin(): Promise<() => Promise<void>> {
    const begun = await spawn()
    group = begun
    void watched.watch(begun)
    return () => untilAnswering(url, begun, signal)
  }
  return {
    begin,
    start: async () => (await begin())(),
    pid: () => group?.pid ?? 0,
    kill: async () => group && (await watched.end(group, 0)),
  }
}

/** The services of a stack, none of them started yet. */
function servicesOf(
  site: Site,
  watched: ReturnType<typeof watchServices>,
  { variables, signal }: StackOptions,
) {
  const { url, queuePort } = site
  // `/api/health` cannot tell this: it reports a fault until the cron trigger has run.
  const answers = `${url}/api/openapi.json`
  const worker = restartable(watched, () => startWorker(site, variables), answers, signal)
  const ready = `http://127.0.0.1:${queuePort}/ready`
  const queue = restartable(watched, () => startQueue(site), ready, signal)
  async function startServices(): Promise<void> {
    const queueAnswers = await queue.begin()
    await worker.start()
    await queueAnswers()
  }
  return { worker, queue, startServices }
}

/**
 * Starts the whole stack. On failure nothing is left running.
 * @throws PlainError when the port is in use or a part does not come up
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { signal, log = () => {} } = options
  const stateDir = resolve(options.stateDir)
  const site = await prepareSite(options.port, stateDir, options.listen)
  const runnerEnvironment = { ...environmentOfRunners(site), ...options.runnerEnvironment }
  const runners: RunnerProcess[] = []
  const services = watchServices()
  const { worker, queue, startServices } = servicesOf(site, services, options)
  let cron: NodeJS.Timeout | undefined
  let stopping = false

  async function runCron(): Promise<void> {
    if (!(await fireCron(site.url)) && !stopping)
      log('The minute task did not run; the next one will.')
  }

  async function stop(): Promise<void> {
    stopping = true
    clearInterval(cron)
    await Promise.all(runners.map((runner) => runner.stop(RUNNER_GRACE_MS)))
    await services.endAll(WRANGLER_GRACE_MS)
    site.releaseFolder()
  }

  try {
    await prepareDatabase(join(stateDir, 'worker'), DEMO_ADMIN, signal)
    await Promise.race([startServices(), services.failure])
    // If the stack was off for a while, tasks are overdue, so they run at once.
    await runCron()
    cron = setInterval(() => void runCron(), CRON_INTERVAL_MS)
    runners.push(...startRunners(site, options.runners, runnerEnvironment, log))
  } catch (error) {
    await stop()
    throw error
  }

  return {
    url: site.url,
    stateDir,
    runners,
    runnerEnvironment,
    failure: services.failure,
    untilHealthy: () => Promise.race([untilHealthy(site, runners, signal), services.failure]),
    runCron,
    killWorker: worker.kill,
    startWorker: worker.start,
    workerPid: worker.pid,
    inspectorUrl: new URL(`http://127.0.0.1:${site.inspectorPort}`),
    killQueue: queue.kill,
    startQueue: queue.start,
    stop,
  }
}
