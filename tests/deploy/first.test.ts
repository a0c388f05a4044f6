/** A deploy to an empty account, a second deploy, and a second installation beside it. */
import { expect, test } from 'vitest'
import { TRIAL } from '../../scripts/deploy/database.ts'
import type { Deployed } from '../../scripts/deploy/installation.ts'
import { uploadBriefly } from './brief-upload.ts'
import { MIGRATIONS } from './migrations.ts'
import { isCreating, summaryOf } from './summary.ts'
import { SETTINGS, uploadByWrangler, useCloudflare } from './try.ts'

const { standIn, deploy, changeMachine } = await useCloudflare()

test('an empty account gets a migrated database, one inactive admin, consumers and secrets', async () => {
  const deployed = await deploy({ tools: { upload: (upload) => uploadByWrangler(upload, true) } })
  expect(summaryOf(standIn.account, 'coursejudge')).toEqual({
    migrations: MIGRATIONS,
    users: [{ username: 'teacher', email: 'teacher@example.org', role: 0, active: 0 }],
    links: ['activate'],
    buckets: ['coursejudge'],
    queues: {
      'coursejudge-dead-letters': [],
      'coursejudge-judge': ['http_pull, then coursejudge-dead-letters'],
      'coursejudge-steps': ['worker coursejudge, then coursejudge-dead-letters'],
    },
    bindings: [
      'ASSETS assets',
      'BUCKET r2_bucket',
      'DB d1',
      'HOSTS durable_object_namespace',
      'JUDGE_QUEUE queue',
      'LIVE durable_object_namespace',
      'RATE_BULK_WRITE ratelimit',
      'RATE_GUEST ratelimit',
      'RATE_HEAVY_READ ratelimit',
      'RATE_HOST ratelimit',
      'RATE_READ ratelimit',
      'RATE_SCOREBOARD ratelimit',
      'RATE_WRITE ratelimit',
      'RUNNER_REGISTRATION_TOKEN secret_text',
      'STEP_QUEUE queue',
      'WEB_ORIGIN plain_text',
    ],
    secrets: ['RUNNER_REGISTRATION_TOKEN'],
    crons: ['* * * * *'],
    limits: { cpu_ms: 60_000 },
    durableObjects: ['LiveChannel', 'HostChannel', 'hosts'],
    isOnWorkersDev: true,
    domains: [],
  })
  expect(deployed).toMatchObject({
    address: 'https://coursejudge.university.workers.dev',
    adminLink: expect.stringMatching(
      /^https:\/\/coursejudge\.university\.workers\.dev\/password_reset#activate=[\w-]{43}$/,
    ),
    registrationToken: expect.stringMatching(/^[\w-]{32}$/),
  })
  const paths = standIn.calls.map(({ method, path }) => `${method} ${path}`)
  const code = paths.indexOf('PUT /workers/scripts/coursejudge')
  const admin = paths.lastIndexOf(paths.filter((path) => path.endsWith('/query')).at(-1) ?? '')
  expect(code).toBeLessThan(admin)
  const notes = standIn.calls.map(({ body }) => JSON.stringify(body ?? ''))
  const lastMigration = notes.findLastIndex((text) => text.includes('INSERT INTO d1_migrations'))
  expect(lastMigration).toBeGreaterThan(0)
  expect(lastMigration).toBeLessThan(code)
})

test('a second deploy makes nothing and keeps the registration token', async () => {
  const first = await deploy()
  const before = summaryOf(standIn.account, 'coursejudge')
  const second = await deploy()
  expect(standIn.calls.filter(isCreating)).toEqual([])
  expect(summaryOf(standIn.account, 'coursejudge')).toEqual(before)
  expect(second.registrationToken).toBe(first.registrationToken)
  // The database stores only a hash of the first link, so the deploy makes a new link.
  expect(second.adminLink).not.toBe(first.adminLink)
})

test('a queue that only the Worker reads is opened to judge hosts by the next deploy', async () => {
  await deploy()
  const queues = [...standIn.account.queues.values()]
  const queue = queues.find(({ queue_name }) => queue_name === 'coursejudge-judge')
  queue?.consumers.splice(0, 1, { consumer_id: 'w', type: 'worker', script: 'coursejudge' })
  await deploy()
  expect(queue?.consumers.map(({ type }) => type)).toContain('http_pull')
})

test('the brief upload of the other tests leaves what wrangler leaves', async () => {
  await deploy({ tools: { upload: (upload) => uploadByWrangler(upload) } })
  const byWrangler = summaryOf(standIn.account, 'coursejudge')
  await deploy({ tools: { upload: (upload) => uploadByWrangler(upload) } })
  expect(standIn.calls.filter(isCreating)).toEqual([])
  expect(summaryOf(standIn.account, 'coursejudge')).toEqual(byWrangler)
  standIn.reset()
  await deploy()
  expect(summaryOf(standIn.account, 'coursejudge')).toEqual(byWrangler)
})

test('once an admin is active there is no link, and no statement that writes', async () => {
  await deploy()
  const [database] = standIn.account.databases.values()
  database?.sqlite.exec('UPDATE users SET active = 1')
  expect(await deploy()).toMatchObject({ adminLink: null })
  const statements = standIn.calls
    .filter(({ path }) => path.endsWith('/query'))
    .map(({ body }) => (body as { sql: string }).sql)
  const writing = statements.filter((sql) => !sql.startsWith('SELECT') && !sql.includes(TRIAL))
  expect(writing).toEqual([])
})

test('somebody active who is no admin lets nobody in: there is a new link', async () => {
  await deploy()
  const [database] = standIn.account.databases.values()
  database?.sqlite.exec(`INSERT INTO users
    (username, username_key, email, displayed_name, role, active, created_at)
    VALUES ('ann', 'ann', 'ann@example.org', 'Ann', 2, 1, 0)`)
  expect((await deploy()).adminLink).toMatch(/#activate=/)
})

test.each([
  ['production', 'staging'],
  ['staging', 'production'],
])('staging and production share nothing, %s first and then %s', async (...order) => {
  const deployed = new Map<string, Deployed>()
  for (const each of order)
    deployed.set(each, await deploy(each === 'staging' ? { environment: each } : {}))
  const staging = deployed.get('staging')
  expect(staging?.address).toBe('https://coursejudge-staging.university.workers.dev')
  const { account } = standIn
  expect([...account.workers.keys()].toSorted()).toEqual(['coursejudge', 'coursejudge-staging'])
  expect(account.databases.size).toBe(2)
  expect(account.buckets.size).toBe(2)
  expect(account.queues.size).toBe(6)
  const resources = [...account.workers.values()].map(({ metadata }) =>
    metadata.bindings.flatMap(({ queue_name, bucket_name, id }) => [queue_name, bucket_name, id]),
  )
  const [production = [], other = []] = resources.map((list) => list.filter(Boolean))
  expect(production).toHaveLength(4)
  expect(production.filter((resource) => other.includes(resource))).toEqual([])
})

test('mail and domain come from the settings; without mail there is no binding for it', async () => {
  const settings = {
    ...SETTINGS,
    DOMAIN: 'judge.example.org',
    MAIL_DRIVER: 'cloudflare',
    MAIL_FROM: 'judge@example.org',
  }
  const deployed = await deploy({ settings })
  expect(deployed.address).toBe('https://judge.example.org')
  expect(summaryOf(standIn.account, 'coursejudge')).toMatchObject({
    bindings: expect.arrayContaining(['MAIL send_email', 'MAIL_FROM plain_text']),
    domains: ['judge.example.org coursejudge'],
    isOnWorkersDev: false,
  })
  await deploy({ settings })
  expect(standIn.calls.filter(({ path }) => path === '/workers/domains')).toHaveLength(1)
})

test('the first admin’s link leads to the web app’s own address, where that is another one', async () => {
  const { address, adminLink } = await deploy({
    settings: { ...SETTINGS, WEB_ORIGIN: 'https://judge.example.org' },
  })
  expect(address).toBe('https://coursejudge.university.workers.dev')
  expect(adminLink).toMatch(/^https:\/\/judge\.example\.org\/password_reset#activate=/)
})

test('a secret that is taken out of the settings is deleted, one that is no setting stays', async () => {
  await deploy({ settings: { ...SETTINGS, MAIL_API_KEY: 're_0123456789' } })
  const worker = standIn.account.workers.get('coursejudge')
  expect(worker?.secrets).toEqual(['MAIL_API_KEY', 'RUNNER_REGISTRATION_TOKEN'])
  worker?.secrets.push('SET_BY_HAND')
  await deploy()
  const secrets = standIn.account.workers.get('coursejudge')?.secrets
  expect(secrets?.toSorted()).toEqual(['RUNNER_REGISTRATION_TOKEN', 'SET_BY_HAND'])
})

test('a deploy from a machine that does not know the registration token leaves it as it is', async () => {
  const first = await deploy()
  expect(first.registrationToken).not.toBeNull()
  changeMachine()
  const kept: string[] = []
  const uploaded: string[] = []
  const second = await deploy({
    tools: {
      keep: (name) => kept.push(name),
      async upload(upload) {
        uploaded.push(...Object.keys(upload.secrets))
        await uploadBriefly(standIn.url, upload)
      },
    },
  })
  expect(second.registrationToken).toBeNull()
  expect({ kept, uploaded }).toEqual({ kept: [], uploaded: [] })
  expect(standIn.account.workers.get('coursejudge')?.secrets).toEqual(['RUNNER_REGISTRATION_TOKEN'])
})
