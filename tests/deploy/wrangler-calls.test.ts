/** Deploys whose token loses its permissions at one of wrangler's own calls: what is said, and that the next run goes on from there. */
import { expect, test } from 'vitest'
import { PERMISSIONS } from '../../scripts/deploy/cloudflare.ts'
import { ACCOUNT_ID } from './account.ts'
import type { Call } from './cloudflare.ts'
import { summaryOf } from './summary.ts'
import { uploadByWrangler, useCloudflare } from './try.ts'

const { standIn, deploy } = await useCloudflare()

/** Without ids, which differ between two runs. */
function nameOf({ method, path }: Call): string {
  return `${method} ${path.replace(/[\da-f]{32}/g, 'ID')}`
}

/** Deploys with wrangler; from call `index` on every call gets a 403. */
function deployFully(index = Infinity): Promise<unknown> {
  return deploy({
    tools: { upload: (upload) => uploadByWrangler(upload) },
    // Files are refused once: wrangler sends them again, five times within half a minute.
    fault: ({ path }, at) =>
      at === index || (at > index && path !== '/workers/assets/upload') ? 'refuse' : undefined,
  })
}

/** The account as an upload finds it: without the Worker, or with one. */
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

/** wrangler's calls and those after it, of each kind the first. */
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
      // Not always the first: wrangler goes on after some refusals, and makes some calls side by side.
      expect(refused, message).toContain(path)
      expect(permission).toBe(PERMISSIONS.find(([part]) => part.test(path))?.[1])
      if (!isChanged) continue
      await deployFully()
      expect(summaryOf(standIn.account, 'coursejudge'), message).toEqual(summary)
    }
  },
)
