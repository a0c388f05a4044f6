/**
 * Everything that runs on one machine: the Worker, the queue stand-in and the runners, each in a process
 * group of its own. `npm start`, `npm run dev` and the browser tests all start it from here.
 */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { health } from '#contract/health'
import type { Health } from '#contract/health'
import { DEMO_ADMIN } from './demo/accounts.ts'
import { prepareDatabase } from './local-database.ts'
import { PATIENCE_MS } from './patience.ts'
import { PlainError } from './plain-error.ts'
import { freePort, requireFreePort } from './ports.ts'
import { logTail } from './process-group.ts'
import type { ProcessGroup } from './process-group.ts'
import { startReaper } from './reaper.ts'
import { startRunner } from './runner-process.ts'
import type { RunnerProcess } from './runner-process.ts'
import { claimStateFolder, folderSecret } from './state-folder.ts'
import { startWranglerDev } from './wrangler.ts'

/** How long the slow parts of a start may take on a busy machine. */
const POLL_MS = 200
/** wrangler and workerd are given this long to close their files. */
const WRANGLER_GRACE_MS = 5_000
/** A runner may finish the case it is at before it hands its jobs back. */
const RUNNER_GRACE_MS = 20_000
const CRON_INTERVAL_MS = 60_000
const CRON = '* * * * *'

interface StackOptions {
  port: number
  /** Local D1, R2, queue, runner caches and logs. */
  stateDir: string
  runners: number
  /** More variables of the Worker, e.g. `SUBMIT_LIMIT_PER_MINUTE`. */
  variables?: Record<string, string>
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
  /** Environment of one more runner, but for its name, state folder and first slot. */
  runnerEnvironment: Record<string, string>
  /** Rejects with a `PlainError` when a part that cannot be restarted has died. */
  failure: Promise<never>
  /** Resolves once the Worker answers, the database is there and all runners have reported. */
  untilHealthy(): Promise<Health>
  /** Fires the Worker's cron trigger; also happens every minute. */
  runCron(): Promise<void>
  /** Ends the Worker at once, as a crash would; `startWorker` brings it back. */
  killWorker(): Promise<void>
  startWorker(): Promise<void>
  /** Ends everything, the runners first. Safe to call twice. */
  stop(): Promise<void>
}

/** Asks until an address answers with success; fails at once when its process is gone. */
async function untilAnswering(
  url: string,
  process: ProcessGroup,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    signal?.throwIfAborted()
    if (!process.isRunning())
      throw new PlainError(`${process.name} did not start:\n${logTail(process)}`)
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
    await answer?.body?.cancel()
    if (answer && answer.status < 500) return
    await delay(POLL_MS)
  }
  throw new PlainError(`${process.name} does not answer at ${url}:\n${logTail(process)}`)
}

/**
 * Starts the whole stack. On failure nothing is left running.
 * @throws PlainError when the port is in use or a part does not come up
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stateDir = resolve(options.stateDir)
  const log = options.log ?? (() => {})
  await requireFreePort(options.port)
  const releaseFolder = claimStateFolder(stateDir)
  const logs = join(stateDir, 'logs')
  rmSync(logs, { recursive: true, force: true })

  const url = `http://127.0.0.1:${options.port}`
  const persistTo = join(stateDir, 'worker')
  const registrationToken = folderSecret(stateDir, 'runner-registration-token')
  const queueToken = folderSecret(stateDir, 'queue-token')
  const queuePort = await freePort()
  const runnerEnvironment = {
    SERVER_URL: url,
    RUNNER_REGISTRATION_TOKEN: registrationToken,
    QUEUES_API_BASE: `http://127.0.0.1:${queuePort}/client/v4`,
    QUEUES_ACCOUNT_ID: 'local',
    QUEUE_ID: 'coursejudge-judge',
    QUEUES_API_TOKEN: queueToken,
    // Without it Node keeps its TypeScript compiler in memory, 30 MB a runner.
    NODE_COMPILE_CACHE: join(stateDir, 'compile-cache'),
    ...options.runnerEnvironment,
  }
  const reaper = startReaper()
  const runners: RunnerProcess[] = []
  let stopping = false
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  failure.catch(() => {})

  function startQueue() {
    return startWranglerDev({
      name: 'queue',
      config: 'worker/local/wrangler.toml',
      port: queuePort,
      persistTo: join(stateDir, 'queue'),
      variables: { QUEUES_API_TOKEN: queueToken },
      registry: join(stateDir, 'registry'),
      logFile: join(logs, 'queue.log'),
      reaper,
    })
  }

  function startMain() {
    return startWranglerDev({
      name: 'worker',
      config: 'wrangler.toml',
      port: options.port,
      persistTo,
      variables: {
        // Mail stays here, as rows of `logged_mails`.
        MAIL_DRIVER: 'log',
        WEB_ORIGIN: url,
        ...options.variables,
        RUNNER_REGISTRATION_TOKEN: registrationToken,
      },
      registry: join(stateDir, 'registry'),
      logFile: join(logs, 'worker.log'),
      reaper,
    })
  }

  let queue: ProcessGroup | undefined
  let worker: ProcessGroup | undefined
  let expectedEnd: ProcessGroup | undefined
  let cron: NodeJS.Timeout | undefined

  /** The Worker and the queue hold state of their own: their end is a failure unless it was asked for. */
  async function watch(group: ProcessGroup): Promise<void> {
    const how = await group.ended
    if (stopping || expectedEnd === group) return
    fail(new PlainError(`${group.name} has ended (${how}):\n${logTail(group)}`))
  }

  async function runCron(): Promise<void> {
    const answer = await fetch(
      `${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(CRON)}`,
    ).catch(() => null)
    await answer?.body?.cancel()
    if (!answer?.ok && !stopping) log('The minute task did not run; the next one will.')
  }

  async function stop(): Promise<void> {
    stopping = true
    clearInterval(cron)
    await Promise.all(runners.map((runner) => runner.stop(RUNNER_GRACE_MS)))
    await Promise.all([worker?.end(WRANGLER_GRACE_MS), queue?.end(WRANGLER_GRACE_MS)])
    releaseFolder()
  }

  try {
    await prepareDatabase(persistTo, DEMO_ADMIN, options.signal)
    queue = await startQueue()
    void watch(queue)
    worker = await startMain()
    void watch(worker)
    await untilAnswering(`http://127.0.0.1:${queuePort}/ready`, queue, options.signal)
    await untilAnswering(`${url}/api/health`, worker, options.signal)
    cron = setInterval(() => void runCron(), CRON_INTERVAL_MS)
    for (let number = 1; number <= options.runners; number += 1)
      runners.push(
        startRunner({
          name: `runner-${number}`,
          stateDir: join(stateDir, `runner-${number}`),
          logFile: join(logs, `runner-${number}.log`),
          reaper,
          log,
          environment: {
            // Other stacks on this machine have runners, too.
            RUNNER_FIRST_SLOT: 'auto',
            ...runnerEnvironment,
          },
        }),
      )
  } catch (error) {
    await stop()
    throw error
  }

  async function untilHealthy(): Promise<Health> {
    const deadline = Date.now() + PATIENCE_MS
    let last: Health | undefined
    while (Date.now() < deadline) {
      options.signal?.throwIfAborted()
      const answer = await fetch(`${url}/api/health`).catch(() => null)
      const body = (await answer?.json().catch(() => null)) as { data?: unknown } | null | undefined
      last = health.safeParse(body?.data).data ?? last
      const allReady = runners.every((runner) => runner.isReady())
      if (allReady && last?.db === 'ok' && last.runners >= options.runners) return last
      const broken = runners.find((runner) => runner.givenUp())
      if (broken) throw new PlainError(`${broken.name} does not stay up:\n${broken.logTail()}`)
      await delay(POLL_MS)
    }
    const seen = last ? `database ${last.db}, ${last.runners} runners` : 'no answer'
    throw new PlainError(`The judge did not become ready (${seen}). Logs: ${logs}`)
  }

  return {
    url,
    stateDir,
    runners,
    runnerEnvironment,
    failure,
    untilHealthy: () => Promise.race([untilHealthy(), failure]),
    runCron,
    async killWorker() {
      if (!worker) return
      expectedEnd = worker
      await worker.end(0)
    },
    async startWorker() {
      worker = await startMain()
      void watch(worker)
      await untilAnswering(`${url}/api/health`, worker)
    },
    stop,
  }
}
