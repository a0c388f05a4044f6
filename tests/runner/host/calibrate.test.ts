import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CALIBRATION } from '#contract/limits'
import { calibrate, slowness } from '../../../runner/host/calibrate.ts'
import { openSlot } from '../../../runner/sandbox/slot.ts'

const REFERENCE_MS = CALIBRATION.referenceMs

it('times the fixed kernel on this machine, which computes it right every time', async () => {
  const scratchDir = await mkdtemp(join(tmpdir(), 'calibrate-'))
  const slot = await openSlot({ index: 0 })
  try {
    const poolSlot = { ...slot, index: 0, scratchDir }
    const first = await calibrate(poolSlot)
    const second = await calibrate(poolSlot)
    for (const ms of [first, second]) expect(Number.isFinite(ms) && ms > 0, String(ms)).toBe(true)
  } finally {
    await slot.close()
    await rm(scratchDir, { recursive: true })
  }
})

it('tells about a host that is more than 1.3 times slower than the reference, in words', () => {
  expect(slowness(REFERENCE_MS)).toBeNull()
  expect(slowness(REFERENCE_MS * 1.3)).toBeNull()
  const said = slowness(REFERENCE_MS * 2.04)
  expect(said).toMatchObject({ calibrationMs: REFERENCE_MS * 2.04, referenceMs: REFERENCE_MS })
  expect(said?.['advice']).toMatch(/2\.0 times as long as the reference/)
})
