/** A folder for copies, which goes with the process, however that ends but by SIGKILL. */
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
