/** A program's input and output. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import {
  compileProgram,
  compileRequest,
  run,
  RUN_LIMITS,
  runProgram,
  temporaryFile,
} from '../fixtures/sandbox.ts'

let slot: Slot
beforeAll(async () => {
  slot = await openSlot({ index: 0 })
})
afterAll(() => slot.close())

test('standard input arrives byte for byte', async () => {
  const bytes = randomBytes(700_001)
  const result = await runProgram(slot, 'cat.c', { stdin: bytes })
  expect(result.stdout.equals(bytes)).toBe(true)
  expect(result.outputBytes).toBe(bytes.length)
})

test('no standard input is an empty one', async () => {
  const result = await runProgram(slot, 'cat.c')
  expect(result).toMatchObject({ exitCode: 0, outputBytes: 0 })
})

test('one input file serves several runs, each from its start', async () => {
  const box = await slot.openBox()
  await compileProgram(box, 'cat.c')
  const input = await temporaryFile('the same\n')
  for (let i = 0; i < 3; i++) {
    const output = await temporaryFile()
    await box.run({ argv: ['/box/main'], input, output, limits: RUN_LIMITS })
    expect((await output.readFile()).toString()).toBe('the same\n')
    await output.close()
  }
  await input.close()
  await box.close()
})

test('the first 64 KiB of standard error are kept and all of it is counted', async () => {
  const result = await runProgram(slot, 'stderr-flood.c')
  expect(result).toMatchObject({ exitCode: 0, stderrBytes: 100_000 })
  expect(result.stderr.length).toBe(65_536)
  expect(Buffer.from(result.stderr).toString()).toMatch(/^complaint\ncomplaint\n/)
})

test('standard error of 64 MiB is bearable, a byte more is too much output', async () => {
  const box = await slot.openBox()
  const source = `#include <unistd.h>
    int main(int argc, char **argv) {
      static char bytes[1 << 20];
      for (int n = 0; n < 64; n++)
        for (size_t at = 0; at < sizeof bytes;) at += write(2, bytes + at, sizeof bytes - at);
      return argc > 1 ? write(2, "", 1) : 0;
    }`
  await box.compile(compileRequest(source))
  expect(await run(box)).toMatchObject({ fired: null, exitCode: 0, stderrBytes: 64 << 20 })
  expect(await run(box, { argv: ['/box/main', 'more'] })).toMatchObject({ fired: 'output' })
  await box.close()
})

test('arguments arrive as they are', async () => {
  const box = await slot.openBox()
  const source = 'import sys\nprint(sys.argv[1:])\n'
  await box.compile(compileRequest(source, 'main.py'))
  const argv = ['/usr/bin/python3', '-B', '/box/main.py', '', 'a b', 'é', '$(id)']
  const result = await run(box, { argv })
  expect(result.stdout.toString()).toBe("['', 'a b', 'é', '$(id)']\n")
  await box.close()
})
