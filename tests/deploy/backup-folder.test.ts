/** The folder of a backup. */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { objectFile, openFolder, readManifest } from '../../scripts/backup/folder.ts'
import { openRemote } from '../../scripts/backup/remote.ts'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { TOKEN } from './cloudflare.ts'
import { useCloudflare } from './try.ts'

const { standIn } = await useCloudflare()
const folder = mkdtempSync(join(tmpdir(), 'backup-folder-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a key leads to a file below the objects, or nowhere', () => {
  expect(objectFile('/b', 'test-data/1/a-b_c.zip')).toBe('/b/objects/test-data/1/a-b_c.zip')
  for (const key of ['', '../x', 'a/../../x', '/x', 'a//b', 'a/', 'a b', 'a\\b', 'a..b'])
    expect(() => objectFile('/b', key), key).toThrow('cannot be a file’s name')
})

test('a folder without a manifest holds no backup, and a manifest of another form is told', () => {
  expect(readManifest(folder)).toBeNull()
  for (const text of ['{', '{"format":2}', '[]']) {
    writeFileSync(join(folder, 'backup.json'), text)
    expect(() => readManifest(folder)).toThrow('backup.json is not the manifest of a backup: ')
  }
})

test('an installation that is not there is one sentence', async () => {
  const cloudflare = openCloudflare(TOKEN, standIn.url, standIn.clock)
  await expect(openRemote(cloudflare, {}, namesOf())).rejects.toThrow(
    'There is no installation coursejudge with a database and a bucket: npm run deploy makes one.',
  )
})

test('a folder that holds other things and no backup is refused, and keeps its modes', () => {
  const shared = join(folder, 'shared')
  mkdirSync(shared, { mode: 0o755 })
  writeFileSync(join(shared, 'notes.txt'), 'not of a backup', { mode: 0o644 })
  expect(() => openFolder(shared)).toThrow(
    `${shared} holds notes.txt and no backup; nothing was changed.`,
  )
  expect(readdirSync(shared)).toEqual(['notes.txt'])
  expect(lstatSync(shared).mode & 0o777).toBe(0o755)
  rmSync(join(shared, 'notes.txt'))
  // Files of a broken-off backup do not count as foreign.
  writeFileSync(join(shared, 'fetched.jsonl'), '')
  openFolder(shared)
  expect(lstatSync(shared).mode & 0o777).toBe(0o700)
})
