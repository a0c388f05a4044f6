/** The API in workerd with an empty D1 and R2 of its own, no web app, no runner; and how benchmarks call it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { experimental_readRawConfig as readRawConfig, type Unstable_RawConfig } from 'wrangler'
import { ROOT } from '../root.ts'
import { runWrangler } from '../process/wrangler.ts'

const COMPATIBILITY_DATE = '2026-10-01'
const FOLDER = join(ROOT, 'node_modules/.cache/bench')

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>

export interface BenchStack {
  miniflare: Miniflare
  db: Database
  /** The memory of the workerd process, which also simulates D1, R2 and the queues: RSS in MB. */
  processMb(): number
  /** The CPU time that the process of workerd has used so far, in ms. */
  cpuMs(): number
}

/** The bundle of `worker/entry.ts`. wrangler makes it in the same way as for a deploy. */
async function bundle(): Promise<string> {
  const config = join(FOLDER, 'wrangler.toml')
  const main = join(ROOT, 'scripts/bench/worker/entry.ts')
  writeFileSync(
    config,
    `name = "bench"\nmain = "${main}"\ncompatibility_date = "${COMPATIBILITY_DATE}"\nkeep_names = false\n`,
  )
  const outdir = join(FOLDER, 'bundle')
  const built = ['deploy', '--dry-run', '--config', config, '--outdir', outdir]
  await runWrangler('Building the Worker', built)
  return join(outdir, 'entry.js')
}

/** Variables by which mails are stored, as rows of `logged_mails`. */
export const MAILING = { MAIL_DRIVER: 'log', WEB_ORIGIN: 'https://judge.test' } as const

/** Runs every migration. */
async function migrate(db: Database): Promise<void> {
  const folder = join(ROOT, 'migrations')
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted())
    for (const statement of readFileSync(join(folder, file), 'utf8').split(
      '--> statement-breakpoint',
    ))
      await db.prepare(statement).run()
}

/** The process of workerd that this one has started. */
function workerdPid(): number {
  const pids = execFileSync('/usr/bin/pgrep', ['-x', '-P', String(process.pid), 'workerd'])
  return Number(pids.toString())
}

/** The memory a process has, in MB (proc(5), status). */
function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

/** The CPU time a process has used, in ms: fields 14 and 15 of proc(5), stat, in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  return 10 * (Number(user) + Number(system))
}

/** The deployed limits on the rates of calls. */
function ratelimits() {
  const rawConfig: Unstable_RawConfig = readRawConfig({
    config: join(ROOT, 'wrangler.toml'),
  }).rawConfig
  return Object.fromEntries((rawConfig.ratelimits ?? []).map(({ name, ...rate }) => [name, rate]))
}

/**
 * Starts the stack, calls `work` and stops the stack.
 * @param isLimited whether the rates of calls and submissions apply; in most benchmarks one person makes hundreds
 * @param variables more variables of the Worker
 */
export async function withBenchStack(
  work: (stack: BenchStack) => Promise<void>,
  isLimited = false,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      scriptPath: await bundle(),
      modules: true,
      compatibilityDate: COMPATIBILITY_DATE,
      d1Databases: ['DB'],
      r2Buckets: ['BUCKET'],
      durableObjects: {
        LIVE: { className: 'LiveChannel', useSQLite: true },
        HOSTS: { className: 'HostChannel', useSQLite: true },
      },
      queueProducers: { JUDGE_QUEUE: 'judge', STEP_QUEUE: 'steps' },
      ratelimits: ratelimits(),
      bindings: {
        ...(!isLimited && { SUBMIT_LIMIT_PER_MINUTE: '0' }),
        ...variables,
        // Without a token the calls of judge hosts are refused before anything else.
        RUNNER_REGISTRATION_TOKEN: 'registration-token-of-the-benchmarks',
      },
      // Each call of a benchmark sets this header itself, to choose its IP address.
      stripCfConnectingIp: false,
    }),
  )
  try {
    const db = await miniflare.getD1Database('DB')
    await migrate(db)
    const pid = workerdPid()
    await work({ miniflare, db, processMb: () => residentMb(pid), cpuMs: () => cpuMsOf(pid) })
  } finally {
    await miniflare.dispose()
    rmSync(FOLDER, { recursive: true, force: true })
  }
}

export interface Call {
  path: string
  cookie: string
  method?: string
  json?: unknown
  headers?: Record<string, string>
}

/** Makes a call and reads its answer; throws unless its status is a success or in `allowed`. */
export async function send(
  { miniflare }: BenchStack,
  made: Call,
  allowed: readonly number[] = [200],
) {
  const { path, cookie, method = 'GET', json, headers } = made
  const answer = await miniflare.dispatchFetch(`http://judge.test${path}`, {
    method,
    headers: {
      Cookie: cookie,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const text = await answer.clone().text()
  if (!allowed.includes(answer.status)) throw new Error(`${path}: ${answer.status} ${text}`)
  return answer
}
