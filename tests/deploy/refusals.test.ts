/** Reasons to stop a deploy, if possible before it makes anything. */
import { describe, expect, test } from 'vitest'
import { warnOfPlan } from '../../scripts/deploy/account.ts'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { findParts } from '../../scripts/deploy/undeploy.ts'
import { ACCOUNT_ID } from './account.ts'
import { TOKEN } from './cloudflare.ts'
import { isCreating } from './summary.ts'
import { SETTINGS, useCloudflare } from './try.ts'

const SHOP_SERVICE = { type: 'worker', service: 'shop' }

const { standIn, deploy } = await useCloudflare()

function nothingMade() {
  return standIn.calls.filter(isCreating).length === 0
}

test.each([[[]], [['workers_free']], [['zone_pro', 'workers_free']]])(
  'the free plan, where %j is paid for, in the words of Cloudflare’s own refusal',
  async (plans) => {
    standIn.account.plans = plans
    await expect(deploy()).rejects.toThrow(/^The account is on the free plan.*Workers Paid/)
  },
)

test('a plan with an id that is not known stops no deploy; a warning names it', async () => {
  Object.assign(standIn.account, { mayReadPlans: true, plans: ['partners_workers_ss'] })
  const lines: string[] = []
  await deploy({ tools: { log: (line) => lines.push(line) } })
  expect(standIn.account.workers.size).toBe(1)
  expect(lines.filter((line) => line.startsWith('Warning'))).toEqual([
    'Warning: none of the account’s plans (partners_workers_ss) is known to be Workers Paid. On the free plan Cloudflare refuses the upload of the Worker.',
  ])
})

test('a token that may not read the plans deploys without a word about them', async () => {
  const lines: string[] = []
  await deploy({ tools: { log: (line) => lines.push(line) } })
  expect(standIn.account.workers.size).toBe(1)
  expect(standIn.calls.map(({ path }) => path)).toContain('/subscriptions')
  expect(lines.filter((line) => line.startsWith('Warning'))).toEqual([])
})

test.each(['workers_paid', 'workers_ss_standard', 'enterprise', 'contract'])(
  'there is no warning of %s, a plan that is paid for',
  async (plan) => {
    Object.assign(standIn.account, { mayReadPlans: true, plans: ['zone_pro', plan] })
    const cloudflare = openCloudflare(TOKEN, standIn.url, standIn.clock)
    const lines: string[] = []
    await warnOfPlan(cloudflare, ACCOUNT_ID, (line) => lines.push(line))
    expect(lines).toEqual([])
    standIn.account.plans = ['zone_pro']
    await warnOfPlan(cloudflare, ACCOUNT_ID, (line) => lines.push(line))
    expect(lines).toEqual([expect.stringMatching(/^Warning: .*\(zone_pro\)/)])
  },
)

test('a token that reaches no account, or several of which none is set', async () => {
  standIn.account.accounts = []
  await expect(deploy()).rejects.toThrow(/^The API token reaches no account: .*Settings · Read/)
  standIn.account.accounts = [
    { id: 'f'.repeat(32), name: 'Own' },
    { id: ACCOUNT_ID, name: 'University' },
  ]
  await expect(deploy()).rejects.toThrow(
    `The API token reaches several accounts; set CLOUDFLARE_ACCOUNT_ID to one of ${'f'.repeat(32)} (Own), ${ACCOUNT_ID} (University).`,
  )
  expect(nothingMade()).toBe(true)
  const { account } = await deploy({ settings: { ...SETTINGS, CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID } })
  expect(account).toBe(ACCOUNT_ID)
})

test('an account without a name below workers.dev, unless there is a domain', async () => {
  standIn.account.subdomain = null
  await expect(deploy()).rejects.toThrow(/^The account has no workers\.dev subdomain yet: /)
  expect(nothingMade()).toBe(true)
  const { address } = await deploy({ settings: { ...SETTINGS, DOMAIN: 'judge.example.org' } })
  expect(address).toBe('https://judge.example.org')
})

test('a token that Cloudflare does not know', async () => {
  const cloudflare = openCloudflare('revoked', standIn.url, standIn.clock)
  await expect(deploy({ tools: { cloudflare } })).rejects.toThrow(
    /^Cloudflare does not know the API token: .* CLOUDFLARE_API_TOKEN/,
  )
})

test('a bucket that holds the id of another installation', async () => {
  standIn.account.buckets.set('coursejudge', new Map([['installation-id', 'abc']]))
  await expect(deploy()).rejects.toThrow(/^The bucket coursejudge belongs to another installation/)
  expect(nothingMade()).toBe(true)
})

test('a bucket without an id is taken, one with an id whose database is empty is not', async () => {
  await deploy()
  await deploy()
  standIn.account.buckets.get('coursejudge')?.set('installation-id', 'abc')
  await expect(deploy()).rejects.toThrow(/\(abc; the database coursejudge says nothing\)/)
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

describe.each(['coursejudge-judge', 'coursejudge-steps', 'coursejudge-dead-letters'])(
  'the queue %s',
  (name) => {
    const ours = { type: 'worker', script: 'coursejudge' }
    test.each([
      ['that another Worker sends to', [{ type: 'worker', script: 'shop' }], []],
      ['that another Worker sends to beside ours', [ours, { type: 'worker', script: 'shop' }], []],
      ['whose sender is named as a service', [{ type: 'worker', service: 'shop' }], []],
      ['that another Worker reads', [], [{ type: 'worker', script: 'shop' }]],
      ['that another Worker reads beside hosts', [ours], [{ type: 'http_pull' }, SHOP_SERVICE]],
    ])('%s', async (_, producers, consumers) => {
      standIn.account.queues.set('q1', {
        queue_id: 'q1',
        queue_name: name,
        producers,
        consumers: consumers.map((each) => ({ consumer_id: 'c1', ...each })),
      })
      const words = `The queue ${name} belongs to the Worker shop: deploy under another name with --env NAME.`
      await expect(deploy()).rejects.toThrow(words)
      expect(nothingMade()).toBe(true)
      const cloudflare = openCloudflare(TOKEN, standIn.url, standIn.clock)
      await expect(findParts(cloudflare, namesOf(), SETTINGS)).rejects.toThrow(words)
    })
  },
)

test('a database with tables of another program, and one that is newer than the code', async () => {
  await deploy()
  const [database] = standIn.account.databases.values()
  database?.sqlite.exec("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')")
  await expect(deploy()).rejects.toThrow(/newer than this code.*9999_later\.sql/)
  database?.sqlite.exec('DROP TABLE d1_migrations')
  await expect(deploy()).rejects.toThrow(/^The database holds tables of another program/)
})

test.each([
  ['lacks it', 'drop view demands', /\(.*no such table: demands.*\)\. Nothing was uploaded/],
  [
    'lets it through',
    'drop trigger demands_refuse; create trigger demands_refuse instead of insert on demands BEGIN select 1; END',
    /\(it let the change through\)\. Nothing was uploaded/,
  ],
])('a database that does not refuse by the code of a demand: it %s', async (_, sql, words) => {
  await deploy()
  const [database] = standIn.account.databases.values()
  database?.sqlite.exec(sql)
  const uploads: unknown[] = []
  const upload = async (one: unknown) => void uploads.push(one)
  await expect(deploy({ tools: { upload } })).rejects.toThrow(words)
  expect(uploads).toEqual([])
})

test('names that no bucket can have; those that one can have are taken', () => {
  for (const name of ['', 'Staging', 'a_b', '-a', 'a-', 'a'.repeat(21)])
    expect(() => namesOf(name), name).toThrow(/does not work: use 1 to 20/)
  for (const name of ['a', '7', 'a-b', 'a'.repeat(20)])
    expect(namesOf(name).bucket).toBe(`coursejudge-${name}`)
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
