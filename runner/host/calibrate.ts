/**
 * Measures how fast this machine is by a fixed computation in the sandbox: a long chain of dependent integer operations,
 * no memory, no input. Time limits mean the same on two hosts only if these times are alike.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { isSlowHost } from '#contract/judging'
import { languageOfId } from '#contract/languages'
import { CALIBRATION } from '#contract/limits'
import { COMPILE_LIMITS, compileRequest } from '../compile/request.ts'
import type { LogFields } from '../lib/log.ts'
import type { PoolSlot } from './slot-pool.ts'

/** Never change it: times of different programs cannot be compared. xorshift64 (Marsaglia 2003) and a division. */
const KERNEL = `#include <stdint.h>
#include <stdio.h>
int main(void) {
  uint64_t x = 88172645463325252ull, sum = 0;
  for (int i = 0; i < 25000000; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    sum += x % (1000003 + (sum & 1));
  }
  printf("%llu\\n", (unsigned long long)sum);
}
`
const ANSWER = '12503470003546\n'
const RUNS = 3

/**
 * Measures the time of the computation.
 * @returns the median CPU time, ms
 * @throws Error when the result is wrong
 */
export async function calibrate(slot: PoolSlot): Promise<number> {
  const box = await slot.openBox()
  const output = await open(join(slot.scratchDir, 'output'), 'w+', 0o600)
  try {
    const c = languageOfId('c')
    await box.compile(await compileRequest(c, Buffer.from(KERNEL)))
    const cpuMs: number[] = []
    for (let run = 0; run < RUNS; run++) {
      await output.truncate()
      const result = await box.run({ argv: c.runArgv, input: null, output, limits: COMPILE_LIMITS })
      cpuMs.push(result.cpuMs)
    }
    const { buffer, bytesRead } = await output.read(Buffer.alloc(64), 0, 64, 0)
    if (buffer.toString('latin1', 0, bytesRead) !== ANSWER)
      throw new Error(
        'This machine computes wrong: the calibration program printed another number.',
      )
    return cpuMs.toSorted((left, right) => left - right)[1] ?? 0
  } finally {
    await output.close()
    await box.close()
  }
}

/** The log entry of a slow host; null when it is not slow. */
export function slowness(calibrationMs: number): LogFields | null {
  if (!isSlowHost(calibrationMs)) return null
  const times = calibrationMs / CALIBRATION.referenceMs
  return {
    calibrationMs,
    referenceMs: CALIBRATION.referenceMs,
    advice: `This machine takes ${times.toFixed(1)} times as long as the reference: programs close to a time limit fail here and pass elsewhere. Use a faster machine, or wider limits; see docs/operating-runners.md.`,
  }
}
