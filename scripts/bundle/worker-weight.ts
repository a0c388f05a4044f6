/** `npm run build:worker`: bundles the Worker as a deploy does, without uploading it; fails when the bundle is too large. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildWeb } from './build-web.ts'
import { PlainError, runCommand } from '../plain-error.ts'
import { ROOT } from '../root.ts'
import { runWrangler } from '../process/wrangler.ts'

const KIB = 1_024

/** The most gzipped KiB. A cold start reads the whole bundle; Cloudflare accepts 10 MiB. */
const LIMIT_KIB = 320

async function main(): Promise<void> {
  await buildWeb()
  const folder = join(ROOT, 'build/worker')
  await runWrangler('Bundling the Worker', ['deploy', '--dry-run', '--minify', '--outdir', folder])
  const size = gzipSync(readFileSync(join(folder, 'index.js'))).length / KIB
  rmSync(folder, { recursive: true })
  const told = `The Worker weighs ${size.toFixed(0)} KiB (gzipped); the limit is ${LIMIT_KIB}.`
  if (size > LIMIT_KIB) throw new PlainError(told)
  console.log(told)
}

await runCommand(main)
