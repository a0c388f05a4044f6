/** Before the first test: builds what files that run at the same time share. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildHelper } from '../../runner/sandbox/build.ts'
import { prepareTools } from '../../runner/host/tools.ts'

/** Where tests find precompiled headers, which take seconds to make. Not below /tmp, which boxes have of their own. */
export const TOOLS_DIR = join(import.meta.dirname, '../../build/test-tools')

export default async function setUp(): Promise<void> {
  await buildHelper()
  await mkdir(TOOLS_DIR, { recursive: true })
  await prepareTools(TOOLS_DIR, () => {})
}
