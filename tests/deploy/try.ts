/** How these tests deploy: they run the command's own steps against the stand-in, with small files to upload. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { openCloudflare } from '../../scripts/deploy/cloudflare.ts'
import {
  deployInstallation,
  type Deployed,
  type DeployTools,
} from '../../scripts/deploy/installation.ts'
import { namesOf } from '../../scripts/deploy/names.ts'
import type { Settings } from '../../scripts/deploy/settings-file.ts'
import { ROOT } from '../../scripts/root.ts'
import { uploadWorker, type Upload } from '../../scripts/deploy/upload.ts'
import { uploadBriefly } from './brief-upload.ts'
import { startCloudflare, TOKEN, type StandIn } from './cloudflare.ts'

export const SETTINGS: Settings = {
  CLOUDFLARE_API_TOKEN: TOKEN,
  ADMIN_USERNAME: 'teacher',
  ADMIN_EMAIL: 'teacher@example.org',
}

/** A Worker of one line and a web app of one page: wrangler sends the same calls, and bundles them quickly. */
function smallFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
  writeFileSync(join(folder, 'index.html'), '<h1>Judge</h1>')
  const main = join(folder, 'worker.js')
  writeFileSync(
    main,
    `export class LiveChannel {}
     export class HostChannel {}
     export default { fetch: () => new Response(), queue() {}, scheduled() {} }`,
  )
  return { folder, main }
}
const SMALL = smallFiles()

// wrangler starts some forty times here; with this cache Node parses it once.
process.env['NODE_COMPILE_CACHE'] = join(ROOT, 'node_modules/.cache/node')

/** Uploads by wrangler: the real Worker if `real`, otherwise a small one, and always a small web app. */
export function uploadByWrangler(upload: Upload, real = false): Promise<void> {
  return uploadWorker({
    ...upload,
    config: {
      ...upload.config,
      ...(!real && { main: SMALL.main }),
      assets: { ...upload.config.assets, directory: SMALL.folder },
    },
  })
}

export interface Try {
  settings?: Settings
  environment?: string
  tools?: Partial<DeployTools>
  fault?: StandIn['fault']
}

/** A stand-in for the tests of a file. After each test it fails if there was an unknown call. */
export async function useCloudflare() {
  const standIn: StandIn = await startCloudflare()
  process.env['CLOUDFLARE_API_BASE_URL'] = standIn.url
  /** Secrets that earlier deploys have made, as `deploy.env` keeps them. */
  let kept: Settings = {}
  beforeEach(() => {
    standIn.reset()
    kept = {}
  })
  afterEach(() => {
    expect(standIn.unknown.splice(0)).toEqual([])
  })
  afterAll(() => standIn.close())

  async function deploy({
    settings = SETTINGS,
    environment,
    tools,
    fault,
  }: Try = {}): Promise<Deployed> {
    standIn.mend()
    if (fault) standIn.fault = fault
    return deployInstallation(
      namesOf(environment),
      { ...settings, ...kept },
      {
        cloudflare: openCloudflare(TOKEN, standIn.url, standIn.clock, settings.JURISDICTION),
        log() {},
        upload: (upload) => uploadBriefly(standIn.url, upload),
        keep: (name, value) => {
          kept[name] = value
        },
        ...tools,
      },
    )
  }
  /** Continues at a machine whose `deploy.env` holds no secrets of earlier deploys. */
  function changeMachine() {
    kept = {}
  }
  return { standIn, deploy, changeMachine }
}
