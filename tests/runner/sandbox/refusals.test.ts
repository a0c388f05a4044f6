/**
 * One program for each refusal of the sandbox. `faults-hostile.long.test.ts` judges all hostile programs, beside a
 * neighbour.
 */
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { compileRequest, run } from '../fixtures/sandbox.ts'

const HOSTILE = join(import.meta.dirname, '../../fixtures/hostile')

let slot: Slot
beforeAll(async () => {
  slot = await openSlot({ index: 0 })
})
afterAll(() => slot.close())

/** Compiles a hostile program and runs it `count` times in one box. */
async function runsOf(file: string, count = 1) {
  const box = await slot.openBox()
  const compiled = await box.compile(compileRequest(readFileSync(join(HOSTILE, file))))
  expect(Buffer.from(compiled.message).toString()).toBe('')
  const results = []
  for (let index = 0; index < count; index += 1) results.push(await run(box))
  await box.close()
  return results
}

// Each program prints this only if all its attempts were refused.
test.each([
  'crowding/packets.c',
  'kernel/capabilities.c',
  'kernel/disk-and-handles.c',
  'kernel/mounts.c',
  'kernel/namespaces.c',
  'kernel/own-filter.c',
  'network/every-family.c',
  'forging/ptrace.c',
  'forging/raises-limits.c',
  'reading/descriptors.c',
  'reading/above-the-root.c',
  'reading/proc.c',
  'artefacts/own-artefact.c',
  'artefacts/executables.c',
])('%s reaches nothing', async (file) => {
  const [result] = await runsOf(file)
  expect(result?.stdout.toString()).toBe('3\n')
  expect(result).toMatchObject({ fired: null, signal: null })
})

test.skipIf(process.arch !== 'x64')('a call of the x32 table ends the program', async () => {
  const [result] = await runsOf('kernel/x32-call.c')
  expect(result).toMatchObject({ fired: null, signal: constants.signals.SIGSYS })
})

/** Writes files of 2 MB until one fails; prints how many MB fit. */
const FILL = `
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  static char block[1 << 20];
  int megabytes = 0;
  for (int n = 0; n < 40; n++) {
    char name[16];
    snprintf(name, sizeof name, "file%d", n);
    int fd = open(name, O_CREAT | O_WRONLY, 0644);
    for (int m = 0; m < 2; m++) megabytes += write(fd, block, sizeof block) == sizeof block;
    close(fd);
  }
  printf("%d", megabytes);
}`

test('a working directory takes what its limit says and no more', async () => {
  const box = await slot.openBox()
  await box.compile(compileRequest(FILL))
  const limits = { workDirBytes: 8 * 1024 * 1024, memoryKb: 256 * 1024 }
  const result = await run(box, { limits })
  expect(result).toMatchObject({ fired: null, exitCode: 0 })
  expect(result.stdout.toString()).toBe('8')
  await box.close()
})

/** Some containers mount /proc/sys read-only, and only root may write there. */
function idsCanStartAnew(): boolean {
  try {
    closeSync(openSync('/proc/sys/kernel/ns_last_pid', 'r+'))
    return true
  } catch {
    return false
  }
}

test.skipIf(!idsCanStartAnew())('every run has the same process ids', async () => {
  const results = await runsOf('channels/process-ids.c', 2)
  expect(results.map(({ stdout }) => stdout.toString())).toEqual(['3\n', '3\n'])
})

test('every run has the same numbers of files', async () => {
  const results = await runsOf('channels/file-numbers.c', 3)
  expect(results.map(({ stdout }) => stdout.toString())).toEqual(['3\n', '3\n', '3\n'])
})

test('what lies in a program’s file counts as its memory', async () => {
  const [result] = await runsOf('forging/read-only-data.c')
  expect(result).toMatchObject({ fired: 'memory' })
  // The program was stopped at the limit, not merely judged at its end.
  expect(result?.memoryKb).toBeLessThan(65 * 1024)
})
