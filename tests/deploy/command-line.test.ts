/** The commands as an operator types them, and the pinned wrangler that they call. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { uploadArguments } from '../../scripts/deploy/upload.ts'
import { ROOT } from '../../scripts/root.ts'
import { runWrangler } from '../../scripts/process/wrangler.ts'

/** Runs a command of `scripts/deploy` without a terminal; answers its exit code and output. */
async function run(script: string, ...args: string[]) {
  // Nothing listens at this address, so a call that is sent fails the test.
  const env = {
    ...process.env,
    CLOUDFLARE_API_TOKEN: '',
    CLOUDFLARE_API_BASE_URL: 'http://[::1]:1',
  }
  const child = promisify(execFile)(process.execPath, [`scripts/deploy/${script}.ts`, ...args], {
    cwd: ROOT,
    env,
  })
  child.child.stdin?.end()
  return child.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      text: error.stdout + error.stderr,
    }),
  )
}

// An environment that has no settings file in this folder.
const ENVIRONMENT = ['--env', 'of-the-tests']

test('the dry run prints each call, the command and the configuration, and sends nothing', async () => {
  const { code, text } = await run('deploy', ...ENVIRONMENT, '--dry-run')
  expect(code).toBe(0)
  expect(text).toContain('ADMIN_EMAIL is missing')
  expect(text).toContain(
    'POST /accounts/ACCOUNT_ID/queues {"queue_name":"coursejudge-of-the-tests-judge"}',
  )
  expect(text).toContain('wrangler deploy --config CONFIGURATION --secrets-file SECRETS')
  expect(text).toContain('"database_name": "coursejudge-of-the-tests"')
  expect(text).toMatch(/Nothing was sent\.\n$/)
})

test('without settings nothing is sent, by neither command', async () => {
  for (const script of ['deploy', 'undeploy']) {
    const { code, text } = await run(script, ...ENVIRONMENT)
    expect(code).toBe(1)
    expect(text).toMatch(/^Error: the settings do not work; nothing was sent\.\n/)
    expect(text).toContain('cp deploy.env.example deploy.of-the-tests.env')
  }
  expect(existsSync(join(ROOT, 'deploy.of-the-tests.env'))).toBe(false)
})

test('an unknown option and a name that no bucket can have are told', async () => {
  expect(await run('deploy', '--enviroment', 'x')).toMatchObject({ code: 1 })
  const { text } = await run('deploy', '--env', 'Staging!')
  expect(text).toBe(
    'Error: --env Staging! does not work: use 1 to 20 lower-case letters, digits and hyphens.\n',
  )
})

test('backup and restore take one folder, and say how they are called', async () => {
  for (const [script = '', ...args] of [
    ['backup'],
    ['backup', 'a', 'b'],
    ['restore', 'a', '--remotely'],
    ['restore', 'a', '--outputs'],
    ['backup', 'a', '--replace', 'judge'],
  ]) {
    const { code, text } = await run(`../backup/${script}`, ...args)
    expect(code).toBe(1)
    expect(text.trim().split('\n').at(-1)).toMatch(
      new RegExp(`^npm run ${script} -- FOLDER .*--remote .*--env NAME`),
    )
  }
})

test('the pinned wrangler knows the subcommand and every flag', async () => {
  const [subcommand = '', ...rest] = uploadArguments('x', 'y')
  const help = await runWrangler('Asking wrangler for help', [subcommand, '--help'])
  expect(help).toContain(`wrangler ${subcommand}`)
  for (const flag of rest.filter((part) => part.startsWith('--')))
    expect(help).toMatch(new RegExp(`(^|\\s)${flag}\\s`))
})
