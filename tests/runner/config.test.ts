import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../runner/config.ts'

const NEEDED = { SERVER_URL: 'http://127.0.0.1:8787', RUNNER_REGISTRATION_TOKEN: 'secret' }
const QUEUE = { QUEUES_ACCOUNT_ID: 'account', QUEUE_ID: 'queue', QUEUES_API_TOKEN: 'token' }

function complaint(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('the settings', () => {
  it('need only the server and the registration token', () => {
    expect(readConfig(NEEDED, () => 3)).toEqual({
      serverUrl: 'http://127.0.0.1:8787',
      registrationToken: 'secret',
      ownToken: null,
      name: hostname().slice(0, 64),
      slots: 3,
      firstSlot: 0,
      stateDir: resolve('.state/runner'),
      testDataCacheBytes: 2_048 * 1024 ** 2,
      queue: null,
    })
  })

  it('take a token of its own instead of the registration token', () => {
    const config = readConfig({ SERVER_URL: 'http://x', RUNNER_TOKEN: 'own' }, () => 1)
    expect(config).toMatchObject({ registrationToken: null, ownToken: 'own' })
  })

  it('take the queue when all three of its variables are there', () => {
    expect(readConfig({ ...NEEDED, ...QUEUE }).queue).toEqual({
      messagesUrl: 'https://api.cloudflare.com/client/v4/accounts/account/queues/queue/messages',
      apiToken: 'token',
    })
    const local = readConfig({ ...NEEDED, ...QUEUE, QUEUES_API_BASE: 'http://127.0.0.1:9/' })
    expect(local.queue?.messagesUrl).toBe(
      'http://127.0.0.1:9/accounts/account/queues/queue/messages',
    )
  })

  it('take no more slots than a machine has, however many cores there are', () => {
    expect(readConfig(NEEDED, () => 151).slots).toBe(150)
  })

  it.each<[name: string, good: string, value: unknown, bad: string[]]>([
    ['RUNNER_NAME', ` ${'x'.repeat(64)} `, 'x'.repeat(64), ['x'.repeat(65), '  ']],
    ['RUNNER_SLOTS', '150', 150, ['151', '1.5']],
    ['TEST_DATA_CACHE_MB', '16', 16 * 1024 ** 2, ['15']],
    ['TEST_DATA_CACHE_MB', '1048576', 1024 ** 4, ['1048577']],
    ['RUNNER_FIRST_SLOT', '149', 149, ['150', '-1', '0.5']],
  ])('take for %s at most, or at least, %j', (name, good, value, bad) => {
    const config = readConfig({ ...NEEDED, [name]: good }, () => 1)
    expect(Object.values(config)).toContain(value)
    for (const wrong of bad) expect(complaint({ ...NEEDED, [name]: wrong })).toMatch(`${name} `)
  })

  it('name both that miss, and those that are there, of the three for the queue', () => {
    const end = 'or unset all three to work without the queue'
    const { QUEUE_ID, ...others } = QUEUE
    expect(complaint({ ...NEEDED, ...others })).toBe(
      `QUEUE_ID must be set because QUEUES_ACCOUNT_ID and QUEUES_API_TOKEN is; ${end}`,
    )
    expect(complaint({ ...NEEDED, QUEUE_ID })).toBe(
      ['QUEUES_ACCOUNT_ID', 'QUEUES_API_TOKEN']
        .map((name) => `${name} must be set because QUEUE_ID is; ${end}`)
        .join('\n'),
    )
  })

  it('treat an empty variable as unset and drop a slash after the server', () => {
    const config = readConfig({ ...NEEDED, SERVER_URL: 'https://oj.example/', QUEUE_ID: '' })
    expect(config).toMatchObject({ serverUrl: 'https://oj.example', queue: null })
  })

  it.each<[Record<string, string>, RegExp]>([
    [{ RUNNER_REGISTRATION_TOKEN: 'x' }, /^SERVER_URL must be an address such as https/],
    [{ ...NEEDED, SERVER_URL: 'ftp://x' }, /^SERVER_URL must be an address/],
    [{ SERVER_URL: 'http://x' }, /^RUNNER_REGISTRATION_TOKEN must hold the registration token/],
    [{ ...NEEDED, RUNNER_TOKEN: 'x' }, /or RUNNER_TOKEN the one an admin made .*; not both$/],
    [{ ...NEEDED, RUNNER_SLOTS: '0' }, /^RUNNER_SLOTS must be a whole number from 1 to 150/],
    [{ ...NEEDED, RUNNER_SLOTS: 'two' }, /^RUNNER_SLOTS must be a whole number from 1 to 150/],
    [{ ...NEEDED, TEST_DATA_CACHE_MB: '1' }, /^TEST_DATA_CACHE_MB must be a whole number from 16/],
    [{ ...NEEDED, QUEUE_ID: 'q' }, /^QUEUES_ACCOUNT_ID must be set because QUEUE_ID is/],
  ])('%j is refused', (env, message) => {
    expect(complaint(env)).toMatch(message)
  })

  it('refuse a name with a character that nobody sees', () => {
    expect(complaint({ ...NEEDED, RUNNER_NAME: 'judge\u200b1' })).toMatch(
      /RUNNER_NAME.*nobody sees/,
    )
  })

  it('name every problem at once', () => {
    expect(complaint({ RUNNER_SLOTS: '-1' }).split('\n')).toHaveLength(3)
  })

  it('keep the slots of a runner within those of a machine', () => {
    const slots = { ...NEEDED, RUNNER_SLOTS: '6', RUNNER_FIRST_SLOT: '144' }
    expect(readConfig(slots)).toMatchObject({ slots: 6, firstSlot: 144 })
    expect(complaint({ ...slots, RUNNER_FIRST_SLOT: '145' })).toMatch(/at most 144, because/)
    expect(complaint({ ...slots, RUNNER_FIRST_SLOT: 'none' })).toMatch(
      /^RUNNER_FIRST_SLOT must be auto or a/,
    )
    expect(readConfig({ ...slots, RUNNER_FIRST_SLOT: 'auto' })).toMatchObject({ firstSlot: null })
  })
})
