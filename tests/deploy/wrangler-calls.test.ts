/** Deploys whose token lacks permission for one of wrangler's own calls: the error names it, and the next run completes the deploy. */
import { expect, test } from 'vitest'
import { PERMISSIONS } from '../../scripts/deploy/cloudflare.ts'
import { ACCOUNT_ID } from './account.ts'
import type { Call } from './cloudflare.ts'
import { summaryOf } from './summary.ts'
import { uploadByWrangler, useCloudflare } from './try.ts'

const { standIn, deploy } = await useCloudflare()

/** A call without ids, which differ between two runs. */
function nameOf({ method, path }: Call): string {
  return `${method} ${path.replace(/[\da-f]{32}/g, 'ID')}`
}

/** Deploys with wrangler; every call from `index` on gets a 403. */
function deployFully(index = Infinity): Promise<unknown> {
  return deploy({
    tools: { upload: (upload) => uploadByWrangler(upload) },
    // An upload of files is refused only once: wrangler repeats it five times within half a minute.
    fault: ({ path }, at) =>
      at === index || (at > index && path !== '/workers/assets/upload') ? 'refuse' : undefined,
  })
}

/** Prepares the account for a first upload, or for a later one. */
async function prepare(isLater: boolean): Promise<void> {
  standIn.reset()
  if (isLater) await deploy()
}

/** A call at which a deploy is refused. */
interface Stop {
  index: number
  /** Whether the call before it changed something. */
  isChanged: boolean
}

const known = new Set<string>()

/** The first call of each kind, from wrangler's first call on, and each call after a change. */
function listStops(calls: readonly Call[]): Stop[] {
  const start = calls.findIndex(({ agent }) => agent.startsWith('wrangler'))
  let isChanged = false
  return calls.slice(start).flatMap((call, offset) => {
    const isNew = !known.has(nameOf(call))
    known.add(nameOf(call))
    const stop = { index: start + offset, isChanged }
    isChanged = isNew && call.method !== 'GET'
    return isNew || stop.isChanged ? [stop] : []
  })
}

test.each([
  { upload: 'the first upload', isLater: false },
  { upload: 'a later upload, if new,', isLater: true },
])(
  'a 403 to any call of $upload is one sentence with the permission, and the next run ends the same',
  async ({ isLater }) => {
    await prepare(isLater)
    await deployFully()
    const stops = listStops(standIn.calls)
    const summary = summaryOf(standIn.account, 'coursejudge')
    expect(stops.length).toBeGreaterThan(isLater ? 4 : 12)
    for (const { index, isChanged } of stops) {
      await prepare(isLater)
      const message = await deployFully(index).then(String, (error: Error) => error.message)
      const refused = standIn.calls.slice(index).map(({ path }) => `/accounts/${ACCOUNT_ID}${path}`)
      const [, permission, path = ''] =
        /^The API token lacks the permission “(.+)”.* \(\w+ (\S+)\)\.$/.exec(message) ?? []
      // Not always the first call: wrangler continues after some refusals, and makes some calls side by side.
      expect(refused, message).toContain(path)
      expect(permission).toBe(PERMISSIONS.find(([part]) => part.test(path))?.[1])
      if (!isChanged) continue
      await deployFully()
      expect(summaryOf(standIn.account, 'coursejudge'), message).toEqual(summary)
    }
  },
)
