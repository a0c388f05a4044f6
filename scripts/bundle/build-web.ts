/** Builds the web app, unless the last build is newer than all its sources. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../root.ts'
import { runTool } from '../process/run-tool.ts'

const SOURCES = [
  'web',
  'docs',
  'worker/contract',
  'runner',
  'scripts/bundle/cut-font.ts',
  'scripts/bundle/mantine-styles.ts',
  'scripts/bundle/zod-for-pages.ts',
  'scripts/bundle/pack-runner.ts',
  'scripts/bundle/web-headers.ts',
  'scripts/bundle/web-weight.ts',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
]
const BUILT = 'dist/web/index.html'

/**
 * When a file, or the newest entry of a folder, was changed. Folders count, too, so that a deleted file is noticed.
 * Build results (`build`) do not count.
 */
function newestChange(path: string): number {
  const own = statSync(path)
  if (!own.isDirectory()) return own.mtimeMs
  const entries = readdirSync(path).filter((entry) => entry !== 'build')
  return entries.reduce(
    (newest, entry) => Math.max(newest, newestChange(join(path, entry))),
    own.mtimeMs,
  )
}

function isFresh(): boolean {
  const built = join(ROOT, BUILT)
  if (!existsSync(built)) return false
  const builtAt = statSync(built).mtimeMs
  return SOURCES.every((source) => newestChange(join(ROOT, source)) < builtAt)
}

/** @throws PlainError with vite's last lines when the build fails */
export async function buildWeb(signal?: AbortSignal): Promise<void> {
  if (isFresh()) return
  console.log('Building the web app …')
  await runTool('Building the web app', ['node_modules/vite/bin/vite.js', 'build'], {
    // Tests have another NODE_ENV, but `npm start` later serves the app that they build.
    env: { ...process.env, NODE_ENV: 'production' },
    ...(signal && { signal }),
  })
}
