/** One local stack for benchmarks: the API in workerd with an empty D1 and R2 of its own, no web app, no runner. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { ROOT } from '../root.ts'
import { runWrangler } from '../process/wrangler.ts'
import { openHeap, type Heap } from './heap.ts'

const FOLDER = join(ROOT, 'node_modules/.cache/bench')

type Database = Awaited<ReturnType<Miniflare['getD1Database']>>

export interface BenchStack {
  miniflare: Miniflare
  db: Database
  /** What the Worker holds in memory. */
  heap: Heap
  /** The size of the process of workerd, which also plays D1, R2 and the queues: RSS in MB. */
  processMb(): number
  /** The CPU time of that process so far, in ms. */
  cpuMs(): number
  stop(): Promise<void>
}

/** The bundle of `worker/entry.ts`, made by wrangler as a deployed one is. */
async function bundle(): Promise<string> {
  const config = join(FOLDER, 'wrangler.toml')
  const main = join(ROOT, 'scripts/bench/worker/entry.ts')
  writeFileSync(
    config,
    `name = "bench"\nmain = "${main}"\ncompatibility_date = "2026-10-01"\nkeep_names = false\n`,
  )
  const outdir = join(FOLDER, 'bundle')
  await runWrangler('Building the Worker', [
    'deploy',
    '--dry-run',
    '--config',
    config,
    '--outdir',
    outdir,
  ])
  return join(outdir, 'entry.js')
}

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

/** The process of workerd that this one has started (proc(5): the parent is the field behind the state). */
function workerdPid(): number {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    let stat: string
    try {
      stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    } catch {
      continue
    }
    const [, comm, parent] = /^\d+ \((.*)\) . (\d+)/.exec(stat) ?? []
    if (comm === 'workerd' && Number(parent) === process.pid) return Number(name)
  }
  throw new Error('workerd does not run')
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

/** Starts the stack. */
export async function startBenchStack(): Promise<BenchStack> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      scriptPath: await bundle(),
      modules: true,
      compatibilityDate: '2026-10-01',
      d1Databases: ['DB'],
      r2Buckets: ['BUCKET'],
      durableObjects: {
        LIVE: { className: 'LiveChannel', useSQLite: true },
        HOSTS: { className: 'HostChannel', useSQLite: true },
      },
      queueProducers: { JUDGE_QUEUE: 'judge', STEP_QUEUE: 'steps' },
      bindings: {
        SUBMIT_LIMIT_PER_MINUTE: '0',
        // Without one the calls of judge hosts are refused before anything else.
        RUNNER_REGISTRATION_TOKEN: 'registration-token-of-the-benchmarks',
      },
      // Calls name their address themselves.
      stripCfConnectingIp: false,
      inspectorPort: 0,
    }),
  )
  const db = await miniflare.getD1Database('DB')
  await migrate(db)
  const heap = await openHeap(await miniflare.getInspectorURL(), async () => {
    const answer = await miniflare.dispatchFetch('http://judge.test/bench/select-1')
    await answer.text()
  })
  const pid = workerdPid()
  return {
    miniflare,
    db,
    heap,
    processMb: () => residentMb(pid),
    cpuMs: () => cpuMsOf(pid),
    async stop() {
      heap.close()
      await miniflare.dispose()
      rmSync(FOLDER, { recursive: true, force: true })
    },
  }
}
