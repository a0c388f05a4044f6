/** The folder of a backup, and what may go wrong with D1's export. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { objectFile, readManifest } from '../../scripts/backup/folder.ts'
import { openRemote } from '../../scripts/backup/remote.ts'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { TOKEN } from './cloudflare.ts'
import { useCloudflare } from './try.ts'

const { standIn, deploy } = await useCloudflare()
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
    expect(() => readManifest(folder)).toThrow('backup.json is no manifest of a backup: ')
  }
})

test('an installation that is not there, and an export that fails, are one sentence each', async () => {
  const cloudflare = openCloudflare(TOKEN, standIn.url)
  await expect(openRemote(cloudflare, undefined, namesOf())).rejects.toThrow(
    'There is no installation coursejudge with a database and a bucket: npm run deploy makes one.',
  )
  await deploy()
  const failing: typeof cloudflare = {
    ...cloudflare,
    call: async (method, path, form, body) =>
      path.endsWith('/export')
        ? form.parse({ status: 'error', error: 'too busy' })
        : cloudflare.call(method, path, form, body),
  }
  const installation = await openRemote(failing, undefined, namesOf())
  await expect(installation.snapshot(join(folder, 'rows.sqlite'))).rejects.toThrow(
    'D1 could not export the database: too busy; run the command again.',
  )
})
