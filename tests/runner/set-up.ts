/** Before the first test: builds what several test files share. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildHelper } from '../../runner/sandbox/build.ts'
import { prepareTools } from '../../runner/host/tools.ts'

/** Precompiled headers for tests, which take seconds to make. Not below /tmp, because boxes have a /tmp of their own. */
export const TOOLS_DIR = join(import.meta.dirname, '../../build/test-tools')

export default async function setUp(): Promise<void> {
  await buildHelper()
  await mkdir(TOOLS_DIR, { recursive: true })
  await prepareTools(TOOLS_DIR, () => {})
}
