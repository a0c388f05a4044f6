/** Backup and restore when Cloudflare fails, when a bucket has lost objects, and when the operator ends them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { makeBackup } from '../../scripts/backup/backup.ts'
import { openRemote } from '../../scripts/backup/remote.ts'
import { restoreBackup } from '../../scripts/backup/restore.ts'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { ROOT } from '../../scripts/root.ts'
import { TOKEN, type Call } from './cloudflare.ts'
import { emptyInstallation } from './empty-installation.ts'
import { SETTINGS, useCloudflare } from './try.ts'

const { standIn } = await useCloudflare()
const root = mkdtempSync(join(tmpdir(), 'backup-faults-'))
const ENVIRONMENT = 'backup-faults'
const settingsFile = join(ROOT, `deploy.${ENVIRONMENT}.env`)
const say = () => {}
afterAll(() => {
  rmSync(root, { recursive: true })
  rmSync(settingsFile, { force: true })
})

let folders = 0
let folder = ''
beforeEach(() => {
  folders += 1
  folder = join(root, `folder-${folders}`)
})

const remote = () => openRemote(openCloudflare(TOKEN, standIn.url, standIn.clock), {}, namesOf())

const person = (id: number | null, name: string) =>
  `insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
    values (${id}, '${name}', '${name}', '${name}@example.org', 'A', 0, 1, 0)`
const ROWS = `${person(1, 'admin')};
  insert into packs (object_key, course_id) values ('packs/p1', 1), ('packs/p2', 1)`

/** An installation with two objects. */
function filledInstallation() {
  const installation = emptyInstallation(standIn.account)
  installation.sqlite.exec(ROWS)
  installation.bucket.set('packs/p1', 'packed').set('packs/p2', 'packed, too')
  return installation
}

const isObject = ({ method, path }: Call, wanted: string) =>
  method === wanted && path.includes('/objects/packs')

test('a read that Cloudflare fails once is made again, until the fourth fails', async () => {
  filledInstallation()
  const failed = new Set<string>()
  // Each different call fails the first time.
  standIn.fault = ({ method, path, body }) => {
    const call = JSON.stringify([method, path, body])
    // The backup notes itself by a write, which is not tried again.
    if (failed.has(call) || call.includes('insert into vitals')) return undefined
    failed.add(call)
    return 'fail'
  }
  const before = standIn.clock.now()
  const { objects } = await makeBackup(await remote(), folder, say)
  expect(objects).toHaveLength(2)
  expect(standIn.clock.now() - before).toBeGreaterThanOrEqual(failed.size * 1_000)
  standIn.mend()
  standIn.fault = (call) => (isObject(call, 'GET') ? 'fail' : undefined)
  rmSync(folder, { recursive: true })
  await expect(makeBackup(await remote(), folder, say)).rejects.toThrow(
    'Cloudflare answered 500 to GET',
  )
  expect(standIn.calls.filter((call) => isObject(call, 'GET'))).toHaveLength(4)
})

test('a write that Cloudflare fails is not made again by itself', async () => {
  filledInstallation()
  await makeBackup(await remote(), folder, say)
  standIn.reset()
  emptyInstallation(standIn.account)
  const isWrite = (call: Call) =>
    call.method !== 'GET' && JSON.stringify(call.body).includes('batch')
  standIn.fault = (call) => (isWrite(call) ? 'fail' : undefined)
  await expect(restoreBackup(await remote(), folder, say)).rejects.toThrow(
    'Cloudflare answered 500',
  )
  expect(standIn.calls.filter(isWrite)).toHaveLength(1)
})

test('the ids of rows that were deleted do not come again after a restore', async () => {
  const { sqlite } = filledInstallation()
  sqlite.exec(`${person(7, 'gone')}; delete from users where id = 7`)
  sqlite.exec(
    "insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at) values (4, 1, 'P', 0, 0, 1, '[]', -1, 7, '{}', '{}', 0, 0); delete from problems",
  )
  await makeBackup(await remote(), folder, say)
  standIn.reset()
  const target = emptyInstallation(standIn.account)
  await restoreBackup(await remote(), folder, say)
  target.sqlite.exec(person(null, 'next'))
  expect(target.sqlite.prepare("select id from users where username = 'next'").get()?.['id']).toBe(
    8,
  )
  const [problems] = target.sqlite
    .prepare("select seq from sqlite_sequence where name = 'problems'")
    .all()
  expect(problems?.['seq']).toBe(4)
})

test('an object that was stored in parts is compared by its content, and written only where that differs', async () => {
  filledInstallation()
  await makeBackup(await remote(), folder, say)
  standIn.reset()
  const { bucket } = emptyInstallation(standIn.account)
  // Both have the same size as the right object.
  bucket.set('packs/p1', 'packed').set('packs/p2', 'packed, bad')
  standIn.account.inParts = new Set(['packs/p1', 'packs/p2'])
  await restoreBackup(await remote(), folder, say)
  const written = standIn.calls.filter((call) => isObject(call, 'PUT')).map(({ path }) => path)
  expect(written).toEqual([expect.stringContaining('/objects/packs/p2')])
  expect(String(bucket.get('packs/p2'))).toBe('packed, too')
})

/** Runs a command as an operator does; `onStart` gets its process. */
function run(script: string, args: string[], onStart: (child: ChildProcess) => void = say) {
  const lines = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(settingsFile, lines.join(''))
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary, { recursive: true })
  const child = spawn(
    process.execPath,
    [`scripts/backup/${script}.ts`, ...args, '--remote', '--env', ENVIRONMENT],
    { cwd: ROOT, env: { ...process.env, TMPDIR: temporary } },
  )
  onStart(child)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise<{ code: number | null; said: string; left: string[] }>((resolve) =>
    child.once('close', (code) => resolve({ code, said, left: readdirSync(temporary) })),
  )
}

test('the command that makes a backup fails by name where the bucket lacks objects; the backup is there', async () => {
  const { sqlite, bucket } = emptyInstallation(standIn.account, ENVIRONMENT)
  sqlite.exec(ROWS)
  bucket.set('packs/p1', 'packed')
  const { code, said } = await run('backup', [join(folder, 'backup')])
  expect(code).toBe(1)
  expect(said).toContain('The bucket lacks the object packs/p2, which a row names.')
  expect(said).toMatch(
    /Error: The backup is made, but lacks objects that the bucket has lost \(1, /,
  )
  expect(readdirSync(join(folder, 'backup'))).toContain('backup.json')
  bucket.set('packs/p2', 'packed, too')
  expect((await run('backup', [join(folder, 'backup')])).code).toBe(0)
})

test('a restore that is ended by Ctrl-C leaves no copy of the rows behind', async () => {
  const source = emptyInstallation(standIn.account, ENVIRONMENT)
  source.sqlite.exec(ROWS)
  source.bucket.set('packs/p1', 'packed').set('packs/p2', 'packed, too')
  await run('backup', [join(folder, 'backup')])
  standIn.reset()
  emptyInstallation(standIn.account, ENVIRONMENT)
  let restoring: ChildProcess | undefined
  standIn.fault = (call) => {
    if (isObject(call, 'PUT')) restoring?.kill('SIGINT')
    return undefined
  }
  const { code, said, left } = await run('restore', [join(folder, 'backup')], (child) => {
    restoring = child
  })
  expect({ code, left }).toEqual({ code: 130, left: [] })
  expect(said).toContain('Interrupted; run the command again.')
})
