/**
 * `npm run bench -- backup`: how long an installation of 100,000 submissions takes to copy, and to bring back. A backup says
 * how things were when its copy of the database began (RPO: that, and the time since the last one); a restore says how
 * long the judge is away (RTO).
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeBackup } from '../backup/backup.ts'
import { openLocal } from '../backup/local.ts'
import { restoreBackup } from '../backup/restore.ts'
import { DEMO_ADMIN } from '../demo/accounts.ts'
import { prepareTerm } from '../demo/term/prepare.ts'
import { databaseFile } from '../local-database.ts'
import { historyStatements } from './long-history.ts'
import { Report, timed } from './report.ts'

const SUBMISSIONS = 100_000
const PEOPLE = 100
const OBJECTS = 100
const OBJECT_BYTES = 200_000
/** Of a usual program, compressed. */
const SOURCE_BYTES = 500

/** Times of SQLite's own copy of the file. */
const MOST = { backup: 60, restore: 300 } as const

const say = () => {}

/** The demo's term, and a hundred people with a thousand submissions each. */
async function fill(stateDir: string): Promise<void> {
  await prepareTerm(stateDir)
  const database = new DatabaseSync(databaseFile(join(stateDir, 'worker')))
  const now = Math.floor(Date.now() / 1_000)
  database.exec('begin')
  for (let person = 0; person < PEOPLE; person += 1) {
    const userId = 10_000 + person
    const name = `person${person}`
    database
      .prepare(
        `insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
        values (?, ?, ?, ?, ?, 2, 1, ?)`,
      )
      .run(userId, name, name, `${name}@example.org`, name, now)
    const history = { userId, problemId: 1, count: SUBMISSIONS / PEOPLE, spacing: 600, now }
    for (const statement of historyStatements(history)) database.exec(statement)
  }
  database.exec(
    `insert into submission_sources (submission_id, code)
      select id, randomblob(${SOURCE_BYTES}) from submissions where user_id >= 10000`,
  )
  for (let number = 0; number < OBJECTS; number += 1)
    database.exec(
      `insert into test_data_versions (id, problem_id, object_key, size_bytes, case_counts, uploader_id, created_at)
      values ('bench${number}', 1, 'test-data/1/bench${number}.zip', ${OBJECT_BYTES}, '[1]', (select id from users where username = '${DEMO_ADMIN.username}'), ${now})`,
    )
  database.exec('commit')
  database.close()
}

/** Runs it on local databases; answers whether all bounds hold. */
export async function benchBackup(): Promise<boolean> {
  const report = new Report()
  const folder = mkdtempSync(join(tmpdir(), 'bench-backup-'))
  const [source, target, copy] = ['source', 'target', 'copy'].map((name) => join(folder, name))
  try {
    if (!source || !target || !copy) return false
    await fill(source)
    const from = await openLocal(source)
    const content = join(folder, 'content')
    writeFileSync(content, Buffer.alloc(OBJECT_BYTES, 'bench'))
    for (let number = 0; number < OBJECTS; number += 1)
      await from.bucket.write(`test-data/1/bench${number}.zip`, content)
    const plain = await timed(() => from.snapshot(join(folder, 'plain.sqlite')))
    const backup = await timed(() => makeBackup(from, copy, say))
    const again = await timed(() => makeBackup(from, copy, say))
    await from.close()
    const into = await openLocal(target)
    const restore = await timed(() => restoreBackup(into, copy, say))
    await into.close()
    const mb = statSync(join(folder, 'plain.sqlite')).size / 1e6
    report.note('the database', `${SUBMISSIONS} submissions, ${mb.toFixed(0)} MB`)
    report.note(
      'RPO: as old as the last backup, which took',
      `${(backup / 1_000).toFixed(1)} s, again ${(again / 1_000).toFixed(1)} s`,
    )
    report.note('RTO: away while it is restored', `${(restore / 1_000).toFixed(1)} s`)
    report.bound('backup ÷ SQLite’s own copy of the file', backup / plain, MOST.backup)
    report.bound('restore ÷ SQLite’s own copy of the file', restore / plain, MOST.restore)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return report.holds
}
