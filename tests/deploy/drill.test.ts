/** The comparison that a drill makes, without the judging. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { makeBackup } from '../../scripts/backup/backup.ts'
import { restoreForDrill } from '../../scripts/backup/drill.ts'
import { objectFile, type Manifest } from '../../scripts/backup/folder.ts'
import { openLocal } from '../../scripts/backup/local.ts'
import { openRemote } from '../../scripts/backup/remote.ts'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { TOKEN } from './cloudflare.ts'
import { emptyInstallation } from './empty-installation.ts'
import { useCloudflare } from './try.ts'

const { standIn } = await useCloudflare()
const root = mkdtempSync(join(tmpdir(), 'drill-'))
afterAll(() => rmSync(root, { recursive: true }))

let folders = 0
let folder = ''
let manifest: Manifest
beforeEach(async () => {
  folders += 1
  folder = join(root, `backup-${folders}`)
  const { sqlite, bucket } = emptyInstallation(standIn.account)
  sqlite.exec(`insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
      values (1, 'admin', 'admin', 'a@example.org', 'Admin', 0, 1, 0);
    insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
      values (1, 1, 'P', 0, 0, 1, '[]', -1, 7, '{}', '{}', 0, 0);
    insert into problem_files (problem_id, file_id, name, type, size_bytes, created_at) values (1, 'f1', 'a', 'b', 1, 0)`)
  bucket.set('files/f1', 'content')
  const remote = await openRemote(openCloudflare(TOKEN, standIn.url, standIn.clock), {}, namesOf())
  manifest = await makeBackup(remote, folder, () => {})
})

/** Runs the drill's comparison; answers its output, and whether there is something to judge. */
async function compare() {
  const lines: string[] = []
  const local = await openLocal(join(root, `state-${folders}`))
  try {
    const candidate = await restoreForDrill(local, folder, (line) => lines.push(line))
    return { lines, candidate }
  } finally {
    await local.close()
  }
}

test('a whole backup is told table by table; without submissions nothing is judged', async () => {
  const { lines, candidate } = await compare()
  expect(candidate).toBeNull()
  expect(lines).toContain(`users: 1 rows, ${manifest.tables['users']?.sha256.slice(0, 12)}`)
  expect(lines).toContain('1 objects: 7 bytes, each as it was backed up')
})

test('an object of which a byte has changed is named', async () => {
  writeFileSync(objectFile(folder, 'files/f1'), 'Content')
  await expect(compare()).rejects.toThrow('objects/files/f1 differs from the backup')
})

test('the table of a row that has changed is named', async () => {
  const rows = new DatabaseSync(join(folder, manifest.database))
  rows.exec("update users set displayed_name = 'admin'")
  rows.close()
  await expect(compare()).rejects.toThrow('differs from the backup (table users)')
})
