/** The call rates in `wrangler.toml`: the Worker knows them, they are high enough, and each installation counts its own. */
import { expect, test } from 'vitest'
import { RUNNERS, TEST_DATA_LIMITS } from '#contract/limits'
import { RATES } from '../../worker/lib/call-rates.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import { workerConfig } from '../../scripts/deploy/worker-config.ts'

const ratelimitsOf = (environment?: string) =>
  workerConfig(namesOf(environment), 'id', {}).ratelimits ?? []

const limitOf = (binding: string) =>
  ratelimitsOf().find(({ name }) => name === binding)?.simple.limit ?? 0

test('each rate of the Worker is bound, with the window by which it tells when to come again', () => {
  const configured = ratelimitsOf().map(({ name, simple }) => [name, simple.period])
  const known = Object.values(RATES).map(({ binding, windowSeconds }) => [binding, windowSeconds])
  expect(Object.fromEntries(configured)).toEqual(Object.fromEntries(known))
})

test('an upload of the largest test data in the smallest parts fits into one window, progress of all slots into one', () => {
  const parts = Math.ceil(TEST_DATA_LIMITS.zipBytes / TEST_DATA_LIMITS.partBytesMin)
  expect(limitOf(RATES.bulkWrite.binding)).toBeGreaterThan(parts + 20)
  expect(limitOf(RATES.host.binding)).toBeGreaterThan(RUNNERS.slots * RATES.host.windowSeconds)
})

test('no two rates of an account are counted together', () => {
  const ids = [undefined, 'staging', 'spring'].flatMap((environment) =>
    ratelimitsOf(environment).map(({ namespace_id: id }) => id),
  )
  expect(new Set(ids).size).toBe(3 * Object.keys(RATES).length)
  for (const id of ids) expect(id).toMatch(/^[1-9]\d{0,9}$/)
  expect(ratelimitsOf('staging')).toEqual(ratelimitsOf('staging'))
})
