import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { exampleFile } from '../../scripts/deploy/example.ts'
import { addSetting, readSettings } from '../../scripts/deploy/settings-file.ts'
import { ROOT } from '../../scripts/root.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
const path = join(folder, 'deploy.env')
afterAll(() => rmSync(folder, { recursive: true }))

const NEEDED = 'CLOUDFLARE_API_TOKEN=abc\nADMIN_USERNAME=me\nADMIN_EMAIL=me@example.org\n'

/** The faults that are reported for these lines. */
function faultsOf(text: string): string[] {
  writeFileSync(path, text)
  try {
    readSettings(path, 'deploy.env', {})
    return []
  } catch (error) {
    return String(error).split('\n').slice(1)
  }
}

test('deploy.env.example is the table of settings', () => {
  expect(readFileSync(join(ROOT, 'deploy.env.example'), 'utf8')).toBe(exampleFile())
})

test('a copy of the example lacks what is needed, and nothing else', () => {
  expect(faultsOf(exampleFile()).map((line) => line.replace(/\. .*/, ''))).toEqual([
    expect.stringMatching(/^deploy\.env:\d+: CLOUDFLARE_API_TOKEN is missing$/),
    expect.stringMatching(/^deploy\.env:\d+: ADMIN_USERNAME is missing$/),
    expect.stringMatching(/^deploy\.env:\d+: ADMIN_EMAIL is missing$/),
  ])
})

test('every fault is told at once, with its line and its fix', () => {
  expect(
    faultsOf(`${NEEDED}# a comment\nDOMIAN=x\nMAIL_DRIVER=log\nADMIN_EMAIL=b\nnonsense\n`),
  ).toEqual([
    'deploy.env:5: there is no setting DOMIAN; deploy.env.example lists all.',
    'deploy.env:7: ADMIN_EMAIL stands in line 3 already; keep one.',
    'deploy.env:8: write NAME=value, or # before a comment.',
    'deploy.env:6: MAIL_DRIVER=log stores links in the database and is for a local stack. Set MAIL_DRIVER to cloudflare or http.',
  ])
  expect(faultsOf(NEEDED.replace('me@example.org', 'nobody'))).toEqual([
    'deploy.env:3: ADMIN_EMAIL is wrong. Set ADMIN_EMAIL to the first admin’s e-mail address, like me@example.org.',
  ])
})

test('quotes and blanks around a value are not part of it; token and account of the environment count', () => {
  writeFileSync(path, NEEDED.replace('=me\n', ' = "me" \n'))
  const environment = { CLOUDFLARE_API_TOKEN: 'other', CLOUDFLARE_ACCOUNT_ID: 'f'.repeat(32) }
  expect(readSettings(path, 'deploy.env', environment)).toMatchObject({
    ADMIN_USERNAME: 'me',
    ...environment,
  })
})

test('a made secret takes the place of an empty one, else the end of the file, and closes the file', () => {
  for (const text of [`RUNNER_REGISTRATION_TOKEN=\n${NEEDED}`, NEEDED.trimEnd()]) {
    writeFileSync(path, text, { mode: 0o644 })
    addSetting(path, 'RUNNER_REGISTRATION_TOKEN', 'a-secret-with-$&-signs')
    expect(readSettings(path, 'deploy.env', {})).toMatchObject({
      ADMIN_EMAIL: 'me@example.org',
      RUNNER_REGISTRATION_TOKEN: 'a-secret-with-$&-signs',
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  }
})
