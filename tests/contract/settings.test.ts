import { describe, expect, test } from 'vitest'
import {
  SETTINGS,
  settingFaults,
  type Setting,
  type SettingName,
} from '#contract/installation/settings'

const TABLE = Object.entries<Setting>(SETTINGS)

const COMPLETE = { CLOUDFLARE_API_TOKEN: 'token', ADMIN_USERNAME: 'me', ADMIN_EMAIL: 'me@x.org' }

describe.each(TABLE)('%s', (name, setting) => {
  test('its example has its form', () => {
    expect(setting.form.safeParse(setting.example).success).toBe(true)
  })

  test('its fix names it and is a sentence', () => {
    expect(setting.fix).toContain(`et ${name} to `)
    expect(setting.fix).toMatch(/\.$/)
  })
})

test('what is needed is missing, what has another way is not', () => {
  const missing = settingFaults({}).map(({ name, fault }) => `${name} ${fault}`)
  expect(missing).toEqual([
    'CLOUDFLARE_API_TOKEN missing',
    'ADMIN_USERNAME missing',
    'ADMIN_EMAIL missing',
  ])
  expect(settingFaults(COMPLETE)).toEqual([])
})

test('a mail driver needs what it sends with', () => {
  const missingFor = (driver: string) =>
    settingFaults({ ...COMPLETE, MAIL_DRIVER: driver }).map(({ name }) => name)
  expect(missingFor('cloudflare')).toEqual(['MAIL_FROM'])
  expect(missingFor('http')).toEqual(['MAIL_FROM', 'MAIL_API_URL', 'MAIL_API_KEY'])
  expect(missingFor('log')).toEqual([])
})

test('only the settings asked for are looked at', () => {
  expect(settingFaults({}, ['DOMAIN', 'ADMIN_EMAIL']).map(({ name }) => name)).toEqual([
    'ADMIN_EMAIL',
  ])
})

const wrong: [SettingName, string][] = [
  ['CLOUDFLARE_ACCOUNT_ID', 'my account'],
  ['ADMIN_USERNAME', 'Prof. Smith'],
  ['ADMIN_EMAIL', 'smith'],
  ['DOMAIN', 'https://judge.example.org'],
  ['DOMAIN', 'judge.example.org/path'],
  ['DOMAIN', 'localhost'],
  ['JURISDICTION', 'us'],
  ['WEB_ORIGIN', 'judge.example.org'],
  ['WEB_ORIGIN', 'https://judge.example.org/'],
  ['WEB_ORIGIN', 'ftp://judge.example.org'],
  ['MAIL_DRIVER', 'smtp'],
  ['MAIL_FROM', 'Judge <judge@example.org>'],
  ['MAIL_API_URL', 'api.resend.com'],
  ['MAIL_API_KEY', 'two words'],
  ['RUNNER_REGISTRATION_TOKEN', 'short'],
  ['SUBMIT_LIMIT_PER_MINUTE', 'many'],
  ['ALARM_EMAIL', 'the operator'],
  ['BACKUP_DAYS', 'weekly'],
  ...[
    'http://hooks.example.org/a',
    'hooks.example.org/a',
    'https://10.0.0.1/a',
    'https://127.1/a',
    'https://[::1]/a',
    'https://localhost/a',
    'https://judge.localhost/a',
    'https://printer.local/a',
    'https://db.internal:8443/a',
    'https://user:password@hooks.example.org/a',
    'https://hooks.example.org@10.0.0.1/a',
    'https://hooks.example.org/a b',
    'https://2130706433/a',
  ].map((url): [SettingName, string] => ['ALARM_WEBHOOK_URL', url]),
]

test.each(wrong)('%s=%s is wrong', (name, value) => {
  expect(settingFaults({ ...COMPLETE, [name]: value })).toContainEqual({
    name,
    fault: 'wrong',
    fix: SETTINGS[name].fix,
  })
})

test.each([
  'https://hooks.example.org',
  'https://hooks.example.org:8443/a/b?c=d#e',
  'https://Hooks.Example.org/T0/B0/x-y_z',
  'https://internal.example.org/a',
])('ALARM_WEBHOOK_URL=%s may be called', (url) => {
  expect(settingFaults({ ...COMPLETE, ALARM_WEBHOOK_URL: url })).toEqual([])
})
