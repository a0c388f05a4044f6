/** Closes everything that a test file opens after the file's last test, the newest first. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const closings: (() => Promise<void>)[] = []

afterAll(async () => {
  for (const close of closings.toReversed()) await close()
})

/** Closes something after the file's last test. */
export function afterThisFile(close: () => Promise<void>): void {
  closings.push(close)
}

/** A folder for files that the file's tests write. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-files-'))
  afterThisFile(() => rm(folder, { recursive: true, force: true }))
  return folder
}
