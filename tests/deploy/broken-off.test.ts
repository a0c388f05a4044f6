/** A deploy that is broken off after any call, or that is refused any call. */
import { expect, test } from 'vitest'
import { PERMISSIONS } from '../../scripts/deploy/cloudflare.ts'
import type { Call } from './cloudflare.ts'
import { summaryOf } from './summary.ts'
import { SETTINGS, useCloudflare } from './try.ts'

const { standIn, deploy } = await useCloudflare()
const settings = { ...SETTINGS, DOMAIN: 'judge.example.org' }

/** The calls of a deploy to an empty account, and the resources that it makes. */
async function callsOfFirst(): Promise<{ calls: Call[]; summary: object }> {
  standIn.reset()
  await deploy({ settings })
  return { calls: standIn.calls, summary: summaryOf(standIn.account, 'coursejudge') }
}

test('after any call that was the last, the next run ends as if nothing had happened', async () => {
  const { calls, summary } = await callsOfFirst()
  expect(calls.length).toBeGreaterThan(20)
  for (const index of calls.keys()) {
    standIn.reset()
    const fault = (_: Call, at: number) => (at === index ? ('lose' as const) : undefined)
    await expect(deploy({ settings, fault }), `call ${index}`).rejects.toThrow()
    await deploy({ settings })
    expect(summaryOf(standIn.account, 'coursejudge'), `call ${index}`).toEqual(summary)
  }
})

test('a 403 to any call is one sentence that names the permission', async () => {
  const { calls } = await callsOfFirst()
  for (const [index, call] of calls.entries()) {
    // A deploy works without the permission to read plans.
    if (call.path === '/subscriptions') continue
    standIn.reset()
    const fault = (_: Call, at: number) => (at === index ? ('refuse' as const) : undefined)
    const path = `/accounts/x${call.path}`
    const permission = PERMISSIONS.find(([part]) => part.test(path))?.[1] ?? '?'
    const message = await deploy({ settings, fault }).then(
      () => 'deployed',
      (error: Error) => error.message,
    )
    expect(message.split('\n'), path).toHaveLength(1)
    expect(message, path).toContain(permission)
  }
})
