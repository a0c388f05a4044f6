/**
 * `npm run drill -- FOLDER`: restores the backup of a folder into an empty local stack, compares it row by row and byte by byte, and
 * judges one of its submissions again. Afterwards it deletes the stack.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { STATUS } from '#contract/verdicts'
import { createApiClient, SESSION_COOKIE, type ApiClient } from '../api-client.ts'
import type { Query } from '../deploy/database.ts'
import { PlainError, runCommand } from '../plain-error.ts'
import { onInterruption } from '../process/interruption.ts'
import { untilJudged } from '../replay/send.ts'
import { ROOT } from '../root.ts'
import { freePort } from '../stack/ports.ts'
import { setUp } from '../stack/setup.ts'
import { startStack } from '../stack/stack.ts'
import { readArguments } from './arguments.ts'
import { sha256Of, type Manifest } from './folder.ts'
import type { Bucket, Installation } from './installation.ts'
import { openLocal } from './local.ts'
import { restoreBackup } from './restore.ts'

const USAGE = 'npm run drill -- FOLDER'
/** How long a verdict may take. */
const JUDGED_MS = 10 * 60_000

/** The newest submission that the present test data accepted, else the newest one with Wrong Answer or Compile Error. */
const CANDIDATE = `select s.id, s.status, s.score from submissions s
  join judgements j on j.id = s.judgement_id
  join problems p on p.id = s.problem_id and p.deleted_at is null and p.test_data_version = j.test_data_version
  join courses c on c.id = s.course_id and c.deleted_at is null
  where s.status in (${STATUS.AC}, ${STATUS.WA}, ${STATUS.CE}) and s.pack_id is null order by s.status, s.id desc limit 1`

const ADMIN = 'select id from users where role = 0 and active = 1 order by id limit 1'

/** Ends the jobs that waited when the backup was made: they would be judged before this submission. */
const OTHERS_END = `update judgements set state = 'superseded', finished_at = unixepoch() where finished_at is null`

/** A submission with its verdict in the backup, and the session in which it is judged again. */
interface Candidate {
  id: string
  status: number
  score: number
  cookie: string
}

/** Compares the bucket's objects with the backup's objects. */
async function compareObjects(bucket: Bucket, { objects }: Manifest): Promise<void> {
  for (const { key, sha256 } of objects) {
    const content = await bucket.read(key)
    if (content === null) throw new PlainError(`The object ${key} did not come back.`)
    if ((await sha256Of(content)) !== sha256)
      throw new PlainError(`The object ${key} came back changed.`)
  }
}

/** The submission to judge again, and a session of an admin; null where the backup has no such submission or admin. */
async function prepareJudging(query: Query): Promise<Candidate | null> {
  const [[found], [admin]] = [await query(CANDIDATE), await query(ADMIN)]
  if (!found || !admin) return null
  await query(OTHERS_END)
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest('hex')
  await query(
    `insert into sessions (token_hash, user_id, created_at, last_seen_at, confirmed_at, ip, agent) values (?, ?, unixepoch(), unixepoch(), unixepoch(), '', 'drill')`,
    [hash, String(admin['id'])],
  )
  return {
    id: String(found['id']),
    status: Number(found['status']),
    score: Number(found['score']),
    cookie: `${SESSION_COOKIE}=${token}`,
  }
}

/** The API, called with a given session. */
function withSession(api: ApiClient, cookie: string): ApiClient {
  return {
    ...api,
    call: (method, path, schema, options) =>
      api.call(method, path, schema, { ...options, headers: { Cookie: cookie } }),
  }
}

/** Judges a submission again. */
async function judgeAgain(api: ApiClient, { id, status, score }: Candidate): Promise<void> {
  await api.call('POST', `/submission/${id}/rejudge`, z.unknown())
  const judged = await untilJudged(api, id, Date.now() + JUDGED_MS)
  if (judged === null) throw new PlainError(`The submission ${id} got no verdict in ten minutes.`)
  if (judged.status !== status || judged.score !== score)
    throw new PlainError(
      `The submission ${id} had the verdict ${status} (${score} points) and has ${judged.status} (${judged.score}) now.`,
    )
}

/**
 * Restores a backup into an empty local stack and compares.
 * @throws PlainError that names the difference
 */
export async function restoreForDrill(
  installation: Installation,
  folder: string,
  log: (line: string) => void,
): Promise<Candidate | null> {
  const manifest = await restoreBackup(installation, folder, log)
  await compareObjects(installation.bucket, manifest)
  for (const [table, { rows, sha256 }] of Object.entries(manifest.tables))
    log(`${table}: ${rows} rows, ${sha256.slice(0, 12)}`)
  const bytes = manifest.objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  log(`${manifest.objects.length} objects: ${bytes} bytes, each as it was backed up`)
  for (const key of manifest.missing) log(`The backup lacks the object ${key}, which a row names.`)
  return prepareJudging(installation.query)
}

async function bringBack(folder: string, stateDir: string, log: (line: string) => void) {
  const installation = await openLocal(stateDir)
  try {
    return await restoreForDrill(installation, folder, log)
  } finally {
    await installation.close()
  }
}

async function drill(folder: string, stateDir: string, signal: AbortSignal): Promise<void> {
  const log = (line: string) => {
    signal.throwIfAborted()
    console.log(line)
  }
  const candidate = await bringBack(folder, stateDir, log)
  if (candidate === null) return log('The backup has no submission to judge; all else is equal.')
  await setUp({ judging: true })
  // The Worker's configuration names the folder of the web app, so it has to exist even when the app is not built.
  mkdirSync(join(ROOT, 'dist/web'), { recursive: true })
  const stack = await startStack({ port: await freePort(), stateDir, runners: 1, signal, log })
  try {
    await stack.untilHealthy()
    await judgeAgain(withSession(createApiClient(stack.url, signal), candidate.cookie), candidate)
    log(`Submission ${candidate.id}: judged again, the same verdict. The backup is whole.`)
  } finally {
    await stack.stop()
  }
}

async function main(): Promise<void> {
  const { folder } = readArguments(USAGE)
  const stateDir = mkdtempSync(join(tmpdir(), 'drill-'))
  try {
    await drill(folder, stateDir, onInterruption())
  } finally {
    rmSync(stateDir, { recursive: true, force: true })
  }
}

if (import.meta.main) await runCommand(main)
