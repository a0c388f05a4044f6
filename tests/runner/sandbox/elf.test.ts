/** Programs with false file headers: they gain nothing, and the helper reads only valid memory. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSanitizedHelper } from '../../../runner/sandbox/build.ts'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { compileRequest, run, USER_MODE_LINUX } from '../fixtures/sandbox.ts'

const MIB = 1024 * 1024
const TABLE_BYTES = 28 * MIB

let slot: Slot
beforeAll(async () => {
  // Its sanitizers end a helper that reads invalid memory.
  slot = await openSlot({
    index: 0,
    ...(!USER_MODE_LINUX && { binary: await buildSanitizedHelper() }),
  })
})
afterAll(() => slot.close())

/**
 * Compiles a program with 28 MiB of read-only data that uses 40 MiB more, then changes its headers. `load` holds the positions
 * of its segments' headers, `table` that of the data, and `spare` one that it does not need.
 */
const changedBy = (change: string) => `
import struct, subprocess
source = """
#include <stdlib.h>
#include <string.h>
__asm__(".section .rodata; .fill ${TABLE_BYTES}, 1, 7; .text");
int main(void) {
  volatile char *used = malloc(40 << 20);
  memset((void *)used, 1, 40 << 20);
  return used[5] - 1;
}
"""
subprocess.run(['/usr/bin/gcc', '-xc', '-o', 'main', '-'], input=source.encode(), check=True)
file = open('main', 'r+b')
def get(at, form):
    file.seek(at)
    return struct.unpack(form, file.read(struct.calcsize(form)))[0]
def put(at, form, *values):
    file.seek(at)
    file.write(struct.pack(form, *values))
headers = [get(32, '<Q') + 56 * n for n in range(get(56, '<H'))]
load = [at for at in headers if get(at, '<I') == 1]
table = next(at for at in load if get(at + 32, '<Q') >= ${TABLE_BYTES})
spare = next(at for at in headers if get(at, '<I') == 0x6474e551)
${change}
file.close()
`

/** Runs the changed program in 256 MiB. */
async function runChanged(change: string) {
  const box = await slot.openBox()
  try {
    const request = compileRequest(changedBy(change), 'main.py')
    const argv = ['/usr/bin/python3', '-B', 'main.py']
    const limits = { ...request.limits, workDirBytes: 128 * MIB }
    const compiled = await box.compile({ ...request, argv, artefact: 'main', limits })
    if (!compiled.ok) throw new Error(Buffer.from(compiled.message).toString())
    return await run(box, { limits: { memoryKb: 256 * 1024 } })
  } finally {
    await box.close()
  }
}

test.each([
  ['as it is', 'pass'],
  [
    'that is called writable, too',
    `put(spare, '<IIQQQQQQ', 1, 6, get(table + 8, '<Q'), 1 << 32, 1 << 32, ${TABLE_BYTES}, ${TABLE_BYTES}, 4096)`,
  ],
])('a table %s counts beside what the program uses', async (_what, change) => {
  const { exitCode, memoryKb } = await runChanged(change)
  expect(exitCode).toBe(0)
  expect(memoryKb).toBeGreaterThanOrEqual((TABLE_BYTES + 40 * MIB) / 1024)
})

test.each([
  ['a segment of endless size', "put(load[-1] + 32, '<Q', (1 << 64) - 1)"],
  ['a segment beyond its end', "put(load[-1] + 8, '<Q', (1 << 64) - 4096)"],
  ['more segments than it has', "put(56, '<H', 65535)"],
  ['segments of another size', "put(54, '<H', 1)"],
  ['headers beyond its end', "put(32, '<Q', (1 << 63) - 1)"],
  ['headers that its end cuts', "put(32, '<Q', file.seek(0, 2) - 8)"],
  ['another word size', "put(4, '<B', 1)"],
  ['nothing but its beginning', 'file.truncate(20); file.truncate(28 << 20)'],
])('a program file with %s counts in full', async (_what, change) => {
  expect((await runChanged(change)).memoryKb).toBeGreaterThanOrEqual(TABLE_BYTES / 1024)
})
