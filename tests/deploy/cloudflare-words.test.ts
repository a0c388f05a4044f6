/** How the deploy words a refusal of Cloudflare's API. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import { openCloudflare, refusalOf } from '../../scripts/deploy/cloudflare.ts'
import { ACCOUNT_ID } from './account.ts'
import { TOKEN } from './cloudflare.ts'
import { useCloudflare } from './try.ts'

const { standIn } = await useCloudflare()

test.each([
  [400, 1000, /^Cloudflare does not know the API token: .* CLOUDFLARE_API_TOKEN/],
  [400, 6003, /^Cloudflare does not know the API token: .* CLOUDFLARE_API_TOKEN/],
  [403, 9109, /^Cloudflare does not know the API token: .* CLOUDFLARE_API_TOKEN/],
  [401, 10_000, /^Cloudflare does not know the API token: .* CLOUDFLARE_API_TOKEN/],
  [403, 10_042, /^R2 is not turned on in this account: /],
  [409, 100_117, /^DOMAIN has a DNS record of its own already: /],
  [400, 100_328, /^The account is on the free plan of Workers/],
])('a %i with the code %i has a sentence of its own', (status, code, words) => {
  expect(refusalOf('GET', '/accounts/x/r2/buckets', status, [{ code, message: 'no' }])).toMatch(
    words,
  )
  // The code may stand anywhere among several errors.
  const others = [
    { code: 1, message: 'first' },
    { code, message: 'no' },
  ]
  expect(refusalOf('GET', '/accounts/x/r2/buckets', status, others)).toMatch(words)
})

test.each([
  ['/accounts?per_page=50', 'Account · Account Settings · Read'],
  ['/accounts/x/d1/database?name=coursejudge', 'Account · D1 · Edit'],
  ['/accounts/x/r2/buckets/coursejudge', 'Account · Workers R2 Storage · Edit'],
  ['/accounts/x/queues?name=coursejudge-judge', 'Account · Queues · Edit'],
  ['/accounts/x/workers/scripts/coursejudge/secrets', 'Account · Workers Scripts · Edit'],
  ['/accounts/x/workers/domains', 'Account · Workers Scripts · Edit'],
])('a 403 at %s names the permission “%s”', (path, permission) => {
  expect(refusalOf('GET', path, 403, [])).toBe(
    `The API token lacks the permission “${permission}”, or does not reach this account: add it at dash.cloudflare.com/profile/api-tokens (GET ${path}).`,
  )
})

test('any other refusal is told with its status and all its reasons', () => {
  const end = 'run the command again.'
  expect(refusalOf('PUT', '/x', 500, [])).toBe(`Cloudflare answered 500 to PUT /x; ${end}`)
  const reasons = [
    { code: 7, message: 'late' },
    { code: 8, message: 'full' },
  ]
  expect(refusalOf('PUT', '/x', 429, reasons)).toBe(
    `Cloudflare answered 429 to PUT /x: late [7]; full [8]; ${end}`,
  )
})

test('an API that does not answer, and an answer of another form, are one sentence each', async () => {
  const nobody = openCloudflare(TOKEN, 'http://[::1]:1')
  await expect(nobody.call('GET', '/accounts', z.array(z.unknown()))).rejects.toThrow(
    /^Cloudflare’s API does not answer \(GET \/accounts: .*\); run the command again/,
  )
  const cloudflare = openCloudflare(TOKEN, standIn.url, standIn.clock)
  const path = `/accounts/${ACCOUNT_ID}/queues`
  await expect(cloudflare.call('GET', path, z.string())).rejects.toThrow(
    /^Cloudflare’s answer to GET \/accounts\/\w+\/queues is unknown to this version: [^\n]*$/,
  )
})
