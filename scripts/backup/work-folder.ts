/** A folder for copies. It is deleted when the process ends, unless by SIGKILL. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function openWorkFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'restore-'))
  const removeNow = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', removeNow)
  return {
    path,
    remove() {
      process.off('exit', removeNow)
      removeNow()
    },
  }
}
