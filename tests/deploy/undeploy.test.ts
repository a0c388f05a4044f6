import { expect, test } from 'vitest'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { deleteParts, findParts } from '../../scripts/deploy/undeploy.ts'
import { ACCOUNT_ID, TOKEN } from './cloudflare.ts'
import { SETTINGS, useCloudflare } from './try.ts'

const { standIn, deploy } = await useCloudflare()
const settings = { ...SETTINGS, DOMAIN: 'judge.example.org' }

test('undeploy names all of one installation, deletes it and leaves the other', async () => {
  await deploy({ settings })
  await deploy({ environment: 'staging' })
  const cloudflare = openCloudflare(TOKEN, standIn.url)
  const parts = await findParts(cloudflare, namesOf(), settings)
  expect(parts.map(({ what }) => what)).toEqual([
    'the domain judge.example.org',
    'the Worker coursejudge',
    'the queue coursejudge-judge',
    'the queue coursejudge-tasks',
    'the queue coursejudge-dead-letters',
    'the bucket coursejudge (test data, kept outputs)',
    'the database coursejudge (all courses, people and submissions)',
  ])
  expect(parts.every(({ path }) => path.startsWith(`/accounts/${ACCOUNT_ID}/`))).toBe(true)
  const bucket = standIn.account.buckets.get('coursejudge')
  bucket?.set('test-data/1', 'zip')
  await expect(deleteParts(cloudflare, parts, () => {})).rejects.toThrow(/^The bucket is not empty/)
  bucket?.clear()
  const left = await findParts(cloudflare, namesOf(), settings)
  expect(left.map(({ what }) => what.split(' ')[1])).toEqual(['bucket', 'database'])
  await deleteParts(cloudflare, left, () => {})
  expect(await findParts(cloudflare, namesOf(), settings)).toEqual([])
  expect(await findParts(cloudflare, namesOf('staging'), SETTINGS)).toHaveLength(6)
})
