/** The parts of a stack: where each is, how it is started, and when it is ready. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { health, type Health } from '#contract/installation/health'
import { PATIENCE_MS } from '../test/patience.ts'
import { PlainError } from '../plain-error.ts'
import { freePort, requireFreePort } from './ports.ts'
import { logTail, type ProcessGroup } from '../process/process-group.ts'
import { startReaper, type Reaper } from '../process/reaper.ts'
import { startRunner, type RunnerProcess } from './runner-process.ts'
import { claimStateFolder, folderSecret } from './state-folder.ts'
import { startWranglerDev } from '../process/wrangler.ts'

const POLL_MS = 200
const CRON = '* * * * *'

/** Where the parts of a stack are, and the secrets they share. */
export interface Site {
  url: string
  /** Address that the Worker listens on. */
  listen: string
  port: number
  queuePort: number
  /** The port of the Worker's inspector. */
  inspectorPort: number
  stateDir: string
  logs: string
  registrationToken: string
  queueToken: string
  reaper: Reaper
  /** Unlocks the state folder for other stacks. */
  releaseFolder(): void
}

/**
 * Locks the state folder and empties its logs.
 * @throws PlainError when the port or the folder is in use
 */
export async function prepareSite(
  port: number,
  stateDir: string,
  listen = '127.0.0.1',
): Promise<Site> {
  await requireFreePort(port)
  const releaseFolder = claimStateFolder(stateDir)
  const logs = join(stateDir, 'logs')
  rmSync(logs, { recursive: true, force: true })
  return {
    url: `http://127.0.0.1:${port}`,
    listen,
    port,
    queuePort: await freePort(),
    inspectorPort: await freePort(),
    stateDir,
    logs,
    registrationToken: folderSecret(stateDir, 'runner-registration-token'),
    queueToken: folderSecret(stateDir, 'queue-token'),
    reaper: startReaper(),
    releaseFolder,
  }
}

export function startQueue(site: Site): Promise<ProcessGroup> {
  return startWranglerDev({
    name: 'queue',
    config: 'worker/local/wrangler.toml',
    port: site.queuePort,
    persistTo: join(site.stateDir, 'queue'),
    variables: { QUEUES_API_TOKEN: site.queueToken },
    registry: join(site.stateDir, 'registry'),
    logFile: join(site.logs, 'queue.log'),
    reaper: site.reaper,
  })
}

export function startWorker(
  site: Site,
  variables: Record<string, string> | null = {},
): Promise<ProcessGroup> {
  return startWranglerDev({
    name: 'worker',
    config: 'wrangler.toml',
    listen: site.listen,
    port: site.port,
    inspectorPort: site.inspectorPort,
    persistTo: join(site.stateDir, 'worker'),
    variables:
      variables === null
        ? {}
        : {
            // Mails are not sent but stored, as rows of `logged_mails`.
            MAIL_DRIVER: 'log',
            WEB_ORIGIN: site.url,
            ...variables,
            RUNNER_REGISTRATION_TOKEN: site.registrationToken,
          },
    registry: join(site.stateDir, 'registry'),
    logFile: join(site.logs, 'worker.log'),
    reaper: site.reaper,
  })
}

/** Environment of every runner. */
export function environmentOfRunners(site: Site): Record<string, string> {
  return {
    SERVER_URL: site.url,
    RUNNER_REGISTRATION_TOKEN: site.registrationToken,
    QUEUES_API_BASE: `http://127.0.0.1:${site.queuePort}/client/v4`,
    QUEUES_ACCOUNT_ID: 'local',
    QUEUE_ID: 'coursejudge-judge',
    QUEUES_API_TOKEN: site.queueToken,
    // Without this cache Node keeps its TypeScript compiler in memory, 30 MB a runner.
    NODE_COMPILE_CACHE: join(site.stateDir, 'compile-cache'),
  }
}

/** Starts `runner-1`, `runner-2` and so on. */
export function startRunners(
  { stateDir, logs, reaper }: Site,
  count: number,
  environment: Record<string, string>,
  log: (line: string) => void,
): RunnerProcess[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `runner-${index + 1}`
    return startRunner({
      name,
      stateDir: join(stateDir, name),
      logFile: join(logs, `${name}.log`),
      reaper,
      log,
      // Other stacks on this machine have runners, too.
      environment: { RUNNER_FIRST_SLOT: 'auto', ...environment },
    })
  })
}

/** Polls until an address answers with success; fails at once when its process has ended. */
export async function untilAnswering(
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

/** Polls until the database works and all runners have reported; fails at once when a runner keeps dying. */
export async function untilHealthy(
  { url, logs }: Site,
  runners: readonly RunnerProcess[],
  signal?: AbortSignal,
): Promise<Health> {
  const deadline = Date.now() + PATIENCE_MS
  let last: Health | undefined
  while (Date.now() < deadline) {
    signal?.throwIfAborted()
    const answer = await fetch(`${url}/api/health`).catch(() => null)
    const body = (await answer?.json().catch(() => null)) as { data?: unknown } | null | undefined
    last = health.safeParse(body?.data).data ?? last
    const allReady = runners.every((runner) => runner.isReady())
    if (allReady && last?.db === 'ok' && last.runners >= runners.length) return last
    const broken = runners.find((runner) => runner.givenUp())
    if (broken) throw new PlainError(`${broken.name} does not stay up:\n${broken.logTail()}`)
    await delay(POLL_MS)
  }
  const seen = last ? `database ${last.db}, ${last.runners} runners` : 'no answer'
  throw new PlainError(`The judge did not become ready (${seen}). Logs: ${logs}`)
}

/** Fires the Worker's cron trigger; returns whether it ran. */
export async function fireCron(url: string): Promise<boolean> {
  const address = `${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(CRON)}`
  const answer = await fetch(address).catch(() => null)
  await answer?.body?.cancel()
  return answer?.ok === true
}
