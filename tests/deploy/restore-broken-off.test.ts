/** A restore that is broken off or refused at any call. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBackup } from '../../scripts/backup/backup.ts'
import { openRemote } from '../../scripts/backup/remote.ts'
import { restoreBackup } from '../../scripts/backup/restore.ts'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { TOKEN, type Fault } from './cloudflare.ts'
import { emptyInstallation } from './empty-installation.ts'
import { useCloudflare } from './try.ts'

const { standIn } = await useCloudflare()
const root = mkdtempSync(join(tmpdir(), 'broken-restore-'))
const folder = join(root, 'backup')
const say = () => {}
afterAll(() => rmSync(root, { recursive: true }))

/** One row of each table that is restored in a step of its own. */
const ROWS = `insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
    values (1, 'admin', 'admin', 'a@example.org', 'Admin', 0, 1, 0);
  insert into courses (id, name, name_key, teacher_id, time_zone, created_at) values (2, 'C', 'c', 1, 'UTC', 0);
  update users set made_in_course_id = 2;
  insert into audit_entries (created_at, actor_id, action, subject, detail, ip) values (0, 1, 'a', '', '{}', '');
  insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
    values (1, 2, 'P', 0, 0, 1, '[]', -1, 7, '{}', '{}', 0, 0);
  insert into problem_files (problem_id, file_id, name, type, size_bytes, created_at) values (1, 'f1', 'a', 'b', 1, 0)`

/** Contents before the restore: other people, a view, and an entry that a trigger keeps from being deleted. */
const OLD = `insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
    values (7, 'old', 'old', 'o@example.org', 'Old', 0, 1, 0);
  insert into audit_entries (created_at, actor_id, action, subject, detail, ip) values (0, 7, 'old', '', '{}', '');
  create view names as select username from users`

const remote = () => openRemote(openCloudflare(TOKEN, standIn.url, standIn.clock), {}, namesOf())

beforeAll(async () => {
  standIn.reset()
  const { sqlite, bucket } = emptyInstallation(standIn.account)
  sqlite.exec(ROWS)
  bucket.set('files/f1', 'file')
  await makeBackup(await remote(), folder, say)
})

/** An installation with the contents from before. */
function oldInstallation() {
  standIn.reset()
  const { sqlite } = emptyInstallation(standIn.account)
  sqlite.exec(OLD)
  return sqlite
}

const restore = async () => restoreBackup(await remote(), folder, say, 'coursejudge')

test.each<Fault>(['lose', 'refuse'])(
  'after any call that was the last (%s), what was there is whole or the next run ends',
  async (kind) => {
    oldInstallation()
    await restore()
    const { length } = standIn.calls
    expect(length).toBeGreaterThan(40)
    const seen = { whole: 0, emptied: 0 }
    for (let at = 0; at < length; at += 1) {
      const sqlite = oldInstallation()
      standIn.fault = (_, index) => (index === at ? kind : undefined)
      await restore().catch(() => {})
      standIn.mend()
      const parts = sqlite
        .prepare('select name from sqlite_schema')
        .all()
        .map(({ name }) => name)
      const isWhole =
        parts.includes('names') &&
        sqlite.prepare('select count(*) as n from names').get()?.['n'] === 1 &&
        sqlite.prepare("select 1 from audit_entries where action = 'old'").get() !== undefined
      const isRestored = !isWhole && !parts.includes('restoring')
      if (isWhole) seen.whole += 1
      else if (!isRestored) {
        seen.emptied += 1
        expect(() => sqlite.exec("insert into vitals values ('swept_at', 1)"), `${at}`).toThrow(
          'A backup is being restored',
        )
      }
      // An installation is open to everybody again once its restore is complete.
      if (isWhole) expect(parts, `${at}`).not.toContain('restoring')
      await restore()
      const [people, left] = [
        sqlite.prepare('select username, made_in_course_id from users').all(),
        sqlite.prepare(
          "select 1 from sqlite_schema where name like 'restoring%' or name = 'names'",
        ),
      ]
      expect(people.map((row) => ({ ...row }))).toEqual([
        { username: 'admin', made_in_course_id: 2 },
      ])
      expect(left.all(), `${at}`).toEqual([])
      // The restored schema has its own view and triggers back.
      expect(() => sqlite.exec('delete from audit_entries')).toThrow('are only ever added')
      expect(() => sqlite.exec("insert into demands values ('demand:x')")).toThrow(/^demand:x$/)
    }
    expect(seen.whole).toBeGreaterThan(5)
    expect(seen.emptied).toBeGreaterThan(25)
  },
)
