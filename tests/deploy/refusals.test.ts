/** What stops a deploy, before anything is made where that can be known. */
import { expect, test } from 'vitest'
import { isCreating } from './summary.ts'
import { SETTINGS, useCloudflare } from './try.ts'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'

const { standIn, deploy } = await useCloudflare()

function nothingMade() {
  return standIn.calls.filter(isCreating).length === 0
}

test('the free plan', async () => {
  standIn.account.plans = ['workers_free', 'zone_pro']
  await expect(deploy()).rejects.toThrow(/free plan.*Workers Paid/)
  expect(nothingMade()).toBe(true)
})

test('a token that Cloudflare does not know', async () => {
  const cloudflare = openCloudflare('revoked', standIn.url)
  await expect(deploy({ tools: { cloudflare } })).rejects.toThrow(
    /^Cloudflare does not know the API token: .* CLOUDFLARE_API_TOKEN/,
  )
})

test('a bucket that holds the id of another installation', async () => {
  standIn.account.buckets.set('coursejudge', new Map([['installation-id', 'abc']]))
  await expect(deploy()).rejects.toThrow(/^The bucket coursejudge belongs to another installation/)
  expect(nothingMade()).toBe(true)
})

test('a bucket of this installation is taken', async () => {
  await deploy()
  standIn.account.buckets.get('coursejudge')?.set('installation-id', 'abc')
  const [database] = standIn.account.databases.values()
  database?.sqlite.exec("INSERT INTO installation (id, token, state) VALUES (1, 'abc', 'ok')")
  await deploy()
  database?.sqlite.exec("UPDATE installation SET token = 'xyz'")
  await expect(deploy()).rejects.toThrow(
    /coursejudge belongs to another installation \(abc; .* xyz\)/,
  )
})

test('a queue that another Worker sends to', async () => {
  standIn.account.queues.set('q1', {
    queue_id: 'q1',
    queue_name: 'coursejudge-judge',
    producers: [{ type: 'worker', script: 'shop' }],
    consumers: [],
  })
  await expect(deploy()).rejects.toThrow(
    'The queue coursejudge-judge belongs to the Worker shop: deploy under another name with --env NAME.',
  )
  expect(nothingMade()).toBe(true)
})

test('a database with tables of another program, and one that is newer than the code', async () => {
  await deploy()
  const [database] = standIn.account.databases.values()
  database?.sqlite.exec("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')")
  await expect(deploy()).rejects.toThrow(/newer than this code.*9999_later\.sql/)
  database?.sqlite.exec('DROP TABLE d1_migrations')
  await expect(deploy()).rejects.toThrow(/^The database holds tables of another program/)
})

test('a host name of another Worker, or with a DNS record of its own', async () => {
  const settings = { ...SETTINGS, DOMAIN: 'www.example.org' }
  standIn.account.domains = [{ id: 'd1', hostname: 'www.example.org', service: 'homepage' }]
  await expect(deploy({ settings })).rejects.toThrow(
    /^www\.example\.org belongs to the Worker homepage/,
  )
  expect(nothingMade()).toBe(true)
  standIn.account.domains = []
  standIn.account.records = ['www.example.org']
  await expect(deploy({ settings })).rejects.toThrow(/^DOMAIN has a DNS record of its own/)
})

test('the stand-in remembers a call that it does not know', async () => {
  const answer = await fetch(`${standIn.url}/zones`, {
    headers: { Authorization: `Bearer ${SETTINGS.CLOUDFLARE_API_TOKEN}` },
  })
  expect(answer.status).toBe(400)
  expect(standIn.unknown.splice(0)).toEqual(['GET /zones'])
})
