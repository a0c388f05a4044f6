import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { ROOT } from '../../scripts/root.ts'
import { deleteParts, findParts } from '../../scripts/deploy/undeploy.ts'
import { ACCOUNT_ID, emptyAccount } from './account.ts'
import { TOKEN } from './cloudflare.ts'
import { SETTINGS, useCloudflare } from './try.ts'

const { standIn, deploy } = await useCloudflare()
const settings = { ...SETTINGS, DOMAIN: 'judge.example.org' }

test('undeploy names all of one installation, deletes it and leaves the other', async () => {
  await deploy({ settings })
  await deploy({ environment: 'staging' })
  const cloudflare = openCloudflare(TOKEN, standIn.url, standIn.clock)
  const parts = await findParts(cloudflare, namesOf(), settings)
  expect(parts.map(({ what }) => what)).toEqual([
    'the domain judge.example.org',
    'the Worker coursejudge',
    'the queue coursejudge-judge',
    'the queue coursejudge-steps',
    'the queue coursejudge-dead-letters',
    'the bucket coursejudge (test data, kept outputs)',
    'the database coursejudge (all courses, people and submissions)',
  ])
  expect(parts.every(({ path }) => path.startsWith(`/accounts/${ACCOUNT_ID}/`))).toBe(true)
  // Cloudflare deletes a Worker with a queue or Durable Objects only by force.
  expect(parts[1]?.path).toMatch(/\/workers\/scripts\/coursejudge\?force=true$/)
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

test('a domain of another Worker is left to it', async () => {
  await deploy()
  standIn.account.domains = [{ id: 'd1', hostname: 'judge.example.org', service: 'homepage' }]
  const parts = await findParts(
    openCloudflare(TOKEN, standIn.url, standIn.clock),
    namesOf(),
    settings,
  )
  expect(parts.map(({ what }) => what.split(' ')[1])).toEqual([
    'Worker',
    'queue',
    'queue',
    'queue',
    'bucket',
    'database',
  ])
})

test('undeploy refuses the bucket and the database of others', async () => {
  const cloudflare = openCloudflare(TOKEN, standIn.url, standIn.clock)
  const find = () => findParts(cloudflare, namesOf(), SETTINGS)
  await deploy()
  standIn.account.buckets.get('coursejudge')?.set('installation-id', 'abc')
  await expect(find()).rejects.toThrow(/^The bucket coursejudge belongs to another installation/)
  const [database] = standIn.account.databases.values()
  database?.sqlite.exec('DROP TABLE d1_migrations')
  await expect(find()).rejects.toThrow(/^The database holds tables of another program/)
})

test.each([
  ['the bucket', '/r2/buckets/coursejudge'],
  ['a queue', '/queues/'],
])('a refusal to delete %s is told as it is, and the next run goes on', async (_, path) => {
  await deploy()
  const cloudflare = openCloudflare(TOKEN, standIn.url, standIn.clock)
  const find = () => findParts(cloudflare, namesOf(), SETTINGS)
  standIn.fault = (call) =>
    call.method === 'DELETE' && call.path.startsWith(path) ? 'refuse' : undefined
  await expect(deleteParts(cloudflare, await find(), () => {})).rejects.toThrow(
    /^The API token lacks the permission “Account · (Queues|Workers R2 Storage) · Edit”/,
  )
  standIn.mend()
  await deleteParts(cloudflare, await find(), () => {})
  expect(await find()).toEqual([])
})

test('a conflict that is not the bucket’s is told as Cloudflare tells it', async () => {
  const parts = [{ what: 'the queue', path: `/accounts/${ACCOUNT_ID}/queues` }]
  const cloudflare = openCloudflare(TOKEN, standIn.url, standIn.clock)
  const conflict: typeof cloudflare = {
    ...cloudflare,
    call: (_, path, form) =>
      cloudflare
        .call('POST', path, form, { queue_name: 'taken' })
        .then(() => cloudflare.call('POST', path, form, { queue_name: 'taken' })),
  }
  await expect(deleteParts(conflict, parts, () => {})).rejects.toThrow(
    /^Cloudflare answered 409 .*The queue name is already taken \[11009\]/,
  )
})

test('the command deletes nothing under another name, nor where nobody can be asked', async () => {
  const environment = 'undeploy-refused'
  await deploy({ environment })
  const file = join(ROOT, `deploy.${environment}.env`)
  writeFileSync(
    file,
    Object.entries(SETTINGS)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const run = (...args: string[]) => {
    const argv = ['scripts/deploy/undeploy.ts', '--env', environment, ...args]
    const running = promisify(execFile)(process.execPath, argv, { cwd: ROOT })
    running.child.stdin?.end()
    return running.then(
      ({ stdout }) => stdout,
      (error: { stderr: string }) => error.stderr,
    )
  }
  try {
    expect(await run('--yes-delete', 'coursejudge')).toBe(
      'Error: The name differs; nothing was deleted.\n',
    )
    expect(await run()).toBe(
      `Error: Without a terminal, confirm with --yes-delete coursejudge-${environment}; nothing was deleted.\n`,
    )
    expect(standIn.calls.filter(({ method }) => method === 'DELETE')).toEqual([])
    expect(standIn.account.workers.size).toBe(1)
    await run('--yes-delete', `coursejudge-${environment}`)
    expect(standIn.account).toEqual(emptyAccount())
    expect(await run()).toBe(`Nothing of coursejudge-${environment} exists.\n`)
  } finally {
    rmSync(file)
  }
})
