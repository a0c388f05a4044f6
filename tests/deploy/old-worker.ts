/** The Worker of an earlier commit, on a real D1 of this machine, as it runs while a deploy has only migrated. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_splitSqlQuery as splitSql } from 'wrangler'
import type { Query } from '../../scripts/deploy/database.ts'
import { ROOT } from '../../scripts/root.ts'
import { runWrangler } from '../../scripts/wrangler.ts'

export interface OldWorker {
  /** Its own migrations. */
  migrations: string
  /** Its database, as a deploy speaks to it. */
  query: Query
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  close(): Promise<void>
}

interface CallOptions {
  cookie?: string
  token?: string
  json?: unknown
  form?: FormData
}

interface Answer {
  status: number
  cookie: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  data: any
}

export const REGISTRATION_TOKEN = 'registration-token-of-the-tests'

/** Whether this clone holds a commit; a shallow one and an unpacked archive do not. */
export function hasCommit(commit: string): boolean {
  const args = ['cat-file', '-e', `${commit}^{commit}`]
  return spawnSync('git', args, { cwd: ROOT }).status === 0
}

/** The files of a commit, in a folder where they find this project's packages. */
function checkOut(commit: string): string {
  mkdirSync(join(ROOT, 'build'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'build/old-'))
  const parts = ['worker', 'migrations', 'package.json', 'wrangler.toml', 'tsconfig.base.json']
  const archive = execFileSync('git', ['archive', commit, ...parts], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  mkdirSync(join(folder, 'dist/web'), { recursive: true })
  writeFileSync(join(folder, 'dist/web/index.html'), '')
  return folder
}

/** Bundles the files by wrangler and starts them. */
async function startWorker(folder: string): Promise<Miniflare> {
  const config = join(folder, 'wrangler.toml')
  const outdir = join(folder, 'out')
  const args = ['deploy', '--dry-run', '--config', config, '--outdir', outdir]
  await runWrangler('Bundling the old Worker', args)
  return new Miniflare(
    convertV4MiniflareOptions({
      modules: [
        {
          type: 'ESModule',
          path: 'index.js',
          contents: readFileSync(join(outdir, 'index.js'), 'utf8'),
        },
      ],
      compatibilityDate: '2026-10-01',
      d1Databases: ['DB'],
      r2Buckets: ['BUCKET'],
      queueProducers: { JUDGE_QUEUE: 'judge', STEP_QUEUE: 'steps' },
      bindings: {
        WEB_ORIGIN: 'https://judge.test',
        MAIL_DRIVER: 'log',
        RUNNER_REGISTRATION_TOKEN: REGISTRATION_TOKEN,
      },
    }),
  )
}

/** @param commit one that this clone holds */
export async function startOldWorker(commit: string): Promise<OldWorker> {
  const folder = checkOut(commit)
  const miniflare = await startWorker(folder)
  const database = await miniflare.getD1Database('DB')
  return {
    migrations: join(folder, 'migrations'),
    async query(sql) {
      const statements = splitSql(sql).map((statement) => database.prepare(statement))
      const [first] = await database.batch<Record<string, unknown>>(statements)
      return first?.results ?? []
    },
    async call(method, path, { cookie = '', token, json, form } = {}) {
      // Encodes a form, whose boundary the header names.
      const encoded = new Response(form ?? (json === undefined ? null : JSON.stringify(json)))
      const type = form ? (encoded.headers.get('Content-Type') ?? '') : 'application/json'
      const bytes = Buffer.from(await encoded.arrayBuffer())
      const answer = await miniflare.dispatchFetch(`https://judge.test/api${path}`, {
        method,
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          Cookie: cookie,
          ...(token && { Authorization: `Bearer ${token}` }),
          ...(bytes.length > 0 && { 'Content-Type': type }),
        },
        ...(bytes.length > 0 && { body: bytes }),
      })
      const text = await answer.text()
      return {
        status: answer.status,
        cookie: answer.headers
          .getSetCookie()
          .map((line) => line.split(';')[0])
          .join('; '),
        data: text === '' ? null : (JSON.parse(text) as { data: unknown }).data,
      }
    },
    async close() {
      await miniflare.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
