/** The channels of an installation with a jurisdiction. workerd supports none, so its refusal shows that the Worker asked for one. */
import { expect, test } from 'vitest'
import { hostChannel, liveChannels } from '../../../worker/lib/live.ts'
import { workerEnv } from '../support/step-queue.ts'

test('live channels and host channel are looked for in the jurisdiction, where one is set', () => {
  const inUnion = { ...workerEnv, JURISDICTION: 'eu' }
  const refused = 'Jurisdiction restrictions are not implemented in workerd.'
  expect(() => liveChannels(inUnion)).toThrow(refused)
  expect(() => hostChannel(inUnion)).toThrow(refused)
  expect(liveChannels(workerEnv)?.getByName('1')).toBeDefined()
  expect(hostChannel(workerEnv)).toBeDefined()
  expect(liveChannels({ ...inUnion, LIVE_UPDATES: 'off' })).toBeUndefined()
})
