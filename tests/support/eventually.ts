/** Waits for events that come by themselves. */
import { vi } from 'vitest'
import { PATIENCE_MS } from '../../scripts/test/patience.ts'

/** Looks again until the look does not throw; answers its value. @param intervalMs between looks */
export function eventually<T>(look: () => T | Promise<T>, intervalMs = 20): Promise<T> {
  return vi.waitFor(look, { timeout: PATIENCE_MS, interval: intervalMs })
}
