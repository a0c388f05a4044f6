/** A backup ends, holds every byte, and shows one moment. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { makeBackup } from '../../scripts/backup/backup.ts'
import { objectFile, readJournal, readManifest } from '../../scripts/backup/folder.ts'
import type { Installation } from '../../scripts/backup/installation.ts'
import { openRemote } from '../../scripts/backup/remote.ts'
import { restoreBackup } from '../../scripts/backup/restore.ts'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { TOKEN } from './cloudflare.ts'
import { emptyInstallation } from './empty-installation.ts'
import { useCloudflare } from './try.ts'

const { standIn } = await useCloudflare()
const root = mkdtempSync(join(tmpdir(), 'backup-whole-'))
const say = () => {}
afterAll(() => rmSync(root, { recursive: true }))

let folders = 0
let folder = ''
beforeEach(() => {
  folders += 1
  folder = join(root, `folder-${folders}`)
})

const remote = () => openRemote(openCloudflare(TOKEN, standIn.url, standIn.clock), {}, namesOf())

const PEOPLE = `insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
  values (1, 'admin', 'admin', 'a@example.org', 'Admin', 0, 1, 0)`
const PROBLEM = `insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
  values (1, 1, 'P', 0, 0, 1, '[]', -1, 7, '{}', '{}', 0, 0)`

/** Adds files of a problem to database and bucket. */
function addFiles({ sqlite, bucket }: ReturnType<typeof emptyInstallation>, count: number): void {
  sqlite.exec(`${PEOPLE}; ${PROBLEM}`)
  sqlite.exec(`with recursive c(n) as (values(1) union all select n + 1 from c where n < ${count})
    insert into problem_files (problem_id, file_id, name, type, size_bytes, created_at) select 1, 'f' || n, 'f' || n, 't', 1, 0 from c`)
  for (let at = 1; at <= count; at += 1) bucket.set(`files/f${at}`, `content of ${at}`)
}

test('twelve thousand objects are fetched and brought back unattended, never faster than Cloudflare allows', async () => {
  addFiles(emptyInstallation(standIn.account), 12_000)
  const startedAt = standIn.clock.now()
  const { objects } = await makeBackup(await remote(), folder, say)
  expect(objects).toHaveLength(12_000)
  expect(standIn.limit.tooSoon).toBe(0)
  // Commands make 12,600 calls an hour.
  const minutes = (standIn.clock.now() - startedAt) / 60_000
  expect(minutes).toBeGreaterThan(55)
  standIn.reset()
  const { bucket, sqlite } = emptyInstallation(standIn.account)
  await restoreBackup(await remote(), folder, say)
  expect(standIn.limit.tooSoon).toBe(0)
  expect(bucket.size).toBe(12_001)
  for (const at of [1, 1_191, 12_000])
    expect(String(bucket.get(`files/f${at}`))).toBe(`content of ${at}`)
  expect(sqlite.prepare('select count(*) as n from problem_files').get()?.['n']).toBe(12_000)
})

test('a run that breaks off is gone on with by the next one, which fetches the rest', async () => {
  addFiles(emptyInstallation(standIn.account), 20)
  const isObject = (path: string) => path.includes('/objects/')
  let objects = 0
  standIn.fault = ({ path }) => {
    if (isObject(path)) objects += 1
    return objects === 12 ? 'lose' : undefined
  }
  await expect(makeBackup(await remote(), folder, say, { now: new Date(1_000) })).rejects.toThrow(
    'run the command again',
  )
  expect(readManifest(folder)).toBeNull()
  expect(readJournal(folder)).toHaveLength(11)
  // A journal may end in half a line, and an object file may hold half its bytes.
  writeFileSync(join(folder, 'fetched.jsonl'), '{"key":"fil', { flag: 'a' })
  writeFileSync(`${objectFile(folder, 'files/f9')}.part`, 'half')
  writeFileSync(objectFile(folder, 'files/f1'), 'damaged')
  standIn.mend()
  const manifest = await makeBackup(await remote(), folder, say)
  expect(manifest.objects).toHaveLength(20)
  expect(standIn.calls.filter(({ path }) => isObject(path))).toHaveLength(10)
  expect(readdirSync(folder).toSorted()).toEqual(['backup.json', 'objects', manifest.database])
  expect(existsSync(`${objectFile(folder, 'files/f9')}.part`)).toBe(false)
})

test('after any call that was the last, the backup before is whole and the next run ends', async () => {
  addFiles(emptyInstallation(standIn.account), 3)
  const first = await makeBackup(await remote(), folder, say, { now: new Date(1_000) })
  standIn.mend()
  rmSync(objectFile(folder, 'files/f2'))
  await makeBackup(await remote(), folder, say, { now: new Date(2_000) })
  const calls = standIn.calls.length
  const before = readManifest(folder)
  expect(calls).toBeGreaterThan(60)
  for (let at = 0; at < calls; at += 1) {
    rmSync(objectFile(folder, 'files/f2'), { force: true })
    standIn.mend()
    standIn.fault = (_, index) => (index === at ? 'lose' : undefined)
    const broken = remote().then((it) =>
      makeBackup(it, folder, say, { now: new Date(3_000 + at * 1_000) }),
    )
    await expect(broken).rejects.toThrow('run the command again')
    // The last call notes the backup in the installation; the backup itself is complete by then.
    if (at < calls - 1) expect(readManifest(folder)).toEqual(before)
  }
  standIn.mend()
  const { objects, tables, database } = await makeBackup(await remote(), folder, say)
  expect({ objects, tables }).toEqual({ objects: first.objects, tables: first.tables })
  expect(readdirSync(folder).toSorted()).toEqual(['backup.json', 'objects', database])
})

test('a call that Cloudflare refuses for its number waits as it is told', async () => {
  addFiles(emptyInstallation(standIn.account), 1)
  const other = await remote()
  // Another program of the account has used up the allowed calls.
  while (standIn.limit.tooSoon === 0)
    await fetch(`${standIn.url}/accounts`, { headers: { Authorization: `Bearer ${TOKEN}` } })
  const startedAt = standIn.clock.now()
  await makeBackup(other, folder, say)
  expect(standIn.clock.now() - startedAt).toBeGreaterThan(290_000)
  expect(standIn.limit.tooSoon).toBe(2)
})

/** Random numbers that are the same in each run. */
function seeded(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Pieces of texts that some step between the databases might change. */
const PIECES = [
  '\\',
  '\\n',
  '\\r',
  '\n',
  '\r',
  "'",
  '"',
  '`',
  ';',
  '--',
  ',',
  '\0',
  'é',
  '😀',
  'BEGIN',
  '{}',
].map((text) => Buffer.from(text))
/** Lone surrogates, and bytes that are no UTF-8. */
const WILD = [Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xed, 0xbf, 0xbf]), Buffer.from([0xff])]

test('two thousand texts of backslashes, line feeds, quotes, NUL, lone surrogates and 100 KB come back byte by byte', async () => {
  const { sqlite } = emptyInstallation(standIn.account)
  const random = seeded(7)
  sqlite.exec(PEOPLE)
  const insert = sqlite.prepare(
    `insert into announcements (id, course_id, title, markdown, pinned, creator_id, updater_id, created_at, updated_at) values (?, 1, cast(? as text), cast(? as text), 0, 1, 1, 0, 0)`,
  )
  const textOf = (pieces: number) =>
    Buffer.concat(
      Array.from({ length: pieces }, () => {
        const set = random(4) === 0 ? WILD : PIECES
        return set[random(set.length)] ?? Buffer.alloc(0)
      }),
    )
  sqlite.exec('begin')
  for (let at = 0; at < 1_000; at += 1) insert.run(`a${at}`, textOf(random(30)), textOf(random(30)))
  sqlite.exec('commit')
  // Lengths around the size of the slices in which long values travel.
  for (const bytes of [100_000, 119_999, 120_000, 120_001, 240_000, 700_001])
    insert.run(`b${bytes}`, '', Buffer.alloc(bytes, '\\n\n\0'))
  const read =
    'select id, hex(title) as title, hex(markdown) as markdown, typeof(markdown) as type from announcements order by id'
  const before = sqlite.prepare(read).all()
  await makeBackup(await remote(), folder, say)
  standIn.reset()
  const target = emptyInstallation(standIn.account)
  await restoreBackup(await remote(), folder, say)
  expect(target.sqlite.prepare(read).all()).toEqual(before)
})

/** An installation in which `change` runs before each query; it gets the number of the query. */
async function changing(change: (call: number) => void): Promise<Installation> {
  const installation = await remote()
  let calls = 0
  return {
    ...installation,
    query(sql, params) {
      change(calls)
      calls += 1
      return installation.query(sql, params)
    },
  }
}

test('what changes while a backup reads is read again, until all rows are of one moment', async () => {
  const { sqlite } = emptyInstallation(standIn.account)
  sqlite.exec(PEOPLE)
  const it = await changing((call) => {
    if (call > 60) return
    // The name keeps its length and no time changes, so only the bytes show the change.
    sqlite.exec(`update users set displayed_name = 'Admi' || ${call % 10}, bio = bio || 'x'`)
  })
  const { database } = await makeBackup(it, folder, say)
  const copy = new DatabaseSync(join(folder, database), { readOnly: true })
  const read = 'select displayed_name, bio from users'
  expect(copy.prepare(read).all()).toEqual(sqlite.prepare(read).all())
  copy.close()
})

test('an installation that never stands still is told with the tables that change', async () => {
  const { sqlite } = emptyInstallation(standIn.account)
  sqlite.exec(PEOPLE)
  const restless = await changing(() => sqlite.exec("update users set bio = bio || 'x'"))
  await expect(makeBackup(restless, folder, say)).rejects.toThrow(
    'These tables change faster than they can be read: users. Run the command again at a quieter hour.',
  )
  expect(readManifest(folder)).toBeNull()
})

test('of two backups into one folder the one whose rows the other has removed says so', async () => {
  const installation = emptyInstallation(standIn.account)
  addFiles(installation, 1)
  const it = await remote()
  const read = vi.spyOn(it.bucket, 'read').mockImplementationOnce(async (key) => {
    await makeBackup(it, folder, say, { now: new Date(1_000) })
    return it.bucket.read(key)
  })
  await expect(makeBackup(it, folder, say)).rejects.toThrow('Another backup into ')
  expect(read).toHaveBeenCalled()
  expect(readManifest(folder)?.madeAt).toBe(new Date(1_000).toISOString())
})

test('the reports of judge hosts are no changes', async () => {
  const { sqlite } = emptyInstallation(standIn.account)
  sqlite.exec(`insert into runners (id, name, token_hash, state, slots, free, version, created_at, heartbeat_at)
    values ('r1', 'host', 'hash', 'active', 1, 1, '1', 0, 0)`)
  const beating = await changing((call) =>
    sqlite.exec(`update runners set heartbeat_at = ${call}, load = ${call} / 7.0`),
  )
  const { tables } = await makeBackup(beating, folder, say)
  expect(tables['runners']?.rows).toBe(1)
})

test('kept outputs stay behind unless they are asked for, and no row names them then', async () => {
  const { sqlite, bucket } = emptyInstallation(standIn.account)
  sqlite.exec(`${PEOPLE}; ${PROBLEM};
    insert into submissions (id, problem_id, course_id, user_id, language_type, status, judgement_id, quota_used, ip, created_at)
      values ('s1', 1, 1, 1, 0, 0, 'j1', 0, '', 0);
    insert into judgements (id, submission_id, state, priority, rank, queued_at, ticket_at, phase, cases_total, finished_at, outputs_key)
      values ('j1', 's1', 'done', 0, 0, 0, 0, 'done', 1, 1, 'outputs/j1');
    insert into packs (id, object_key, course_id) values (1, 'output-packs/1/o', 1), (2, 'packs/1/s', 1), (3, 'output-packs/1/expired', 1);
    insert into submissions (id, problem_id, course_id, user_id, language_type, status, judgement_id, quota_used, ip, created_at)
      values ('s2', 1, 1, 1, 0, 0, 'j2', 0, '', 0);
    insert into judgements (id, submission_id, state, priority, rank, queued_at, ticket_at, phase, cases_total, finished_at, outputs_pack_id, outputs_offset, outputs_bytes)
      values ('j2', 's2', 'done', 0, 0, 0, 0, 'done', 1, 1, 1, 0, 4)`)
  bucket.set('outputs/j1', 'output')
  bucket.set('output-packs/1/o', 'pack')
  bucket.set('packs/1/s', 'old submissions')
  const without = await makeBackup(await remote(), folder, say)
  expect(without.objects.map(({ key }) => key)).toEqual(['packs/1/s'])
  expect(without.missing).toEqual([])
  expect(without.leftOut['kept outputs']).toContain('--outputs')
  const outputs = await makeBackup(await remote(), join(root, 'outputs'), say, {
    withOutputs: true,
  })
  const keys = ['output-packs/1/o', 'outputs/j1', 'packs/1/s']
  expect(outputs.objects.map(({ key }) => key)).toEqual(keys)
  // The sweeper may have deleted a pack that expired after the rows were read.
  expect(outputs.missing).toEqual([])
  standIn.reset()
  const target = emptyInstallation(standIn.account)
  await restoreBackup(await remote(), folder, say)
  const select =
    'select outputs_key, outputs_pack_id, outputs_offset, outputs_bytes from judgements'
  const nothing = {
    outputs_key: null,
    outputs_pack_id: null,
    outputs_offset: null,
    outputs_bytes: null,
  }
  const all = (sql: string) =>
    target.sqlite
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  expect(all(select)).toEqual([nothing, nothing])
  expect(all('select object_key from packs')).toEqual([{ object_key: 'packs/1/s' }])
})

test('a restored installation knows how old its backup is', async () => {
  const { sqlite } = emptyInstallation(standIn.account)
  sqlite.exec(PEOPLE)
  await makeBackup(await remote(), folder, say, { now: new Date(5_000) })
  standIn.reset()
  const target = emptyInstallation(standIn.account)
  await restoreBackup(await remote(), folder, say)
  const note = target.sqlite.prepare("select value from vitals where name = 'backed_up_at'").get()
  expect({ ...note }).toEqual({ value: 5 })
})
