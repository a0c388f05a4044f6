/** An installation whose data are in the European Union: every command keeps to the setting from the first deploy on. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeBackup } from '../../scripts/backup/backup.ts'
import { openRemote } from '../../scripts/backup/remote.ts'
import { restoreBackup } from '../../scripts/backup/restore.ts'
import { findResources } from '../../scripts/deploy/account.ts'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import type { Settings } from '../../scripts/deploy/settings-file.ts'
import { deleteParts, findParts } from '../../scripts/deploy/undeploy.ts'
import { ACCOUNT_ID, emptyAccount } from './account.ts'
import { TOKEN } from './cloudflare.ts'
import { isCreating } from './summary.ts'
import { SETTINGS, uploadByWrangler, useCloudflare } from './try.ts'

const { standIn, deploy } = await useCloudflare()
const folder = mkdtempSync(join(tmpdir(), 'jurisdiction-'))
afterAll(() => rmSync(folder, { recursive: true }))

const EU: Settings = { ...SETTINGS, JURISDICTION: 'eu' }
const cloudflareOf = ({ JURISDICTION }: Settings) =>
  openCloudflare(TOKEN, standIn.url, standIn.clock, JURISDICTION)
const say = () => {}

test('database, bucket and the binding of the bucket are made in it, and a second deploy keeps them', async () => {
  const tools = {
    upload: (upload: Parameters<typeof uploadByWrangler>[0]) => uploadByWrangler(upload),
  }
  await deploy({ settings: EU, tools })
  const { databases, buckets, workers } = standIn.account
  expect([...databases.values()].map(({ jurisdiction }) => jurisdiction)).toEqual(['eu'])
  expect([...buckets.keys()]).toEqual(['eu:coursejudge'])
  const bindings = workers.get('coursejudge')?.metadata.bindings ?? []
  expect(bindings).toContainEqual(
    expect.objectContaining({ type: 'r2_bucket', jurisdiction: 'eu' }),
  )
  expect(bindings).toContainEqual({ type: 'plain_text', name: 'JURISDICTION', text: 'eu' })
  await deploy({ settings: EU, tools })
  expect(standIn.calls.filter(isCreating)).toEqual([])
})

test.each<[string, Settings, Settings, RegExp]>([
  [
    'taken away',
    EU,
    SETTINGS,
    /^coursejudge was made with JURISDICTION=eu, .*: set JURISDICTION=eu in/,
  ],
  ['added', SETTINGS, EU, /^coursejudge was made without JURISDICTION, .*: remove JURISDICTION in/],
])(
  'it cannot be %s afterwards: each command refuses with the reason',
  async (_, made, asked, words) => {
    await deploy({ settings: made })
    standIn.mend()
    await expect(deploy({ settings: asked })).rejects.toThrow(words)
    const cloudflare = cloudflareOf(asked)
    await expect(findParts(cloudflare, namesOf(), asked)).rejects.toThrow(words)
    await expect(openRemote(cloudflare, asked, namesOf())).rejects.toThrow(words)
    expect(
      standIn.calls.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/query')),
    ).toEqual([])
  },
)

test('it is known from the first thing that is made, also when the deploy broke off there', async () => {
  const fault = () => (standIn.calls.some(isCreating) ? ('lose' as const) : undefined)
  await expect(deploy({ settings: EU, fault })).rejects.toThrow()
  await expect(deploy()).rejects.toThrow('was made with JURISDICTION=eu')
  await deploy({ settings: EU })
  expect([...standIn.account.buckets.keys()]).toEqual(['eu:coursejudge'])
})

test('a call without the jurisdiction does not find the bucket', async () => {
  await deploy({ settings: EU })
  const find = (settings: Settings) => findResources(cloudflareOf(settings), ACCOUNT_ID, namesOf())
  expect((await find(SETTINGS)).bucket).toBeNull()
  expect((await find(EU)).bucket).toEqual({ name: 'coursejudge' })
})

test('a backup reads its objects, a restore writes them, and undeploy leaves nothing', async () => {
  await deploy({ settings: EU })
  const [database] = standIn.account.databases.values()
  database?.sqlite.exec("insert into packs (object_key, course_id) values ('packs/p1', 1)")
  standIn.account.buckets.get('eu:coursejudge')?.set('packs/p1', 'packed')
  const open = () => openRemote(cloudflareOf(EU), EU, namesOf())
  const { objects } = await makeBackup(await open(), folder, say)
  expect(objects.map(({ key }) => key)).toEqual(['packs/p1'])
  standIn.reset()
  await deploy({ settings: EU })
  await restoreBackup(await open(), folder, say)
  const bucket = standIn.account.buckets.get('eu:coursejudge')
  expect(String(bucket?.get('packs/p1'))).toBe('packed')
  bucket?.clear()
  await deleteParts(cloudflareOf(EU), await findParts(cloudflareOf(EU), namesOf(), EU), say)
  expect(standIn.account).toEqual(emptyAccount())
})
