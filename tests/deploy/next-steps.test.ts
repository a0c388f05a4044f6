/** The last lines of a deploy, and when it shows the registration token. */
import { expect, test } from 'vitest'
import { nextSteps } from '../../scripts/deploy/next-steps.ts'
import { useCloudflare } from './try.ts'

const { deploy, changeMachine } = await useCloudflare()
const SUM = '0'.repeat(64)

test('the registration token is shown after the first deploy, and later only when asked for', async () => {
  const lines: string[] = []
  const tools = { log: (line: string) => lines.push(line) }
  const first = await deploy({ tools })
  const token = first.registrationToken ?? '?'
  expect(nextSteps(first, false, SUM)).toContain(
    `'RUNNER_REGISTRATION_TOKEN=${token}' | sh install.sh`,
  )
  expect(lines).toContain(
    'Added a RUNNER_REGISTRATION_TOKEN to deploy.env: keep a copy of that file where you keep passwords',
  )
  const second = await deploy()
  expect(second.registrationToken).toBe(token)
  expect(nextSteps(second, false, SUM)).not.toContain(token)
  expect(nextSteps(second, false, SUM)).toContain('npm run deploy -- --show-host-line')
  expect(nextSteps(second, true, SUM)).toContain(token)
})

test('a machine that does not know the token says where it is', async () => {
  await deploy()
  changeMachine()
  expect(nextSteps(await deploy(), true, SUM)).toContain(
    'The registration token is only in the settings file of the machine that made it.',
  )
})
