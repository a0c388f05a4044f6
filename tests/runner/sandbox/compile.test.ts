/** The compile step and its artefact. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { SandboxError } from '../../../runner/sandbox/errors.ts'
import type { CompileResult } from '../../../runner/sandbox/box.ts'
import { COMPILE_LIMITS, compileRequest, run } from '../fixtures/sandbox.ts'

let slot: Slot
beforeAll(async () => {
  slot = await openSlot({ index: 0 })
})
afterAll(() => slot.close())

/** Runs this Python script as the "compiler"; it may leave any file as `main`. */
async function compileWith(script: string, artefactBytes = 1024): Promise<CompileResult> {
  const box = await slot.openBox()
  const request = compileRequest(script, 'main.py')
  const argv = ['/usr/bin/python3', '-B', 'main.py']
  const result = await box.compile({ ...request, argv, artefact: 'main', artefactBytes })
  await box.close()
  return result
}

test('a C program that is right compiles without a message and runs as often as one likes', async () => {
  const box = await slot.openBox()
  const compiled = await box.compile(compileRequest('int main(void) { return 7; }'))
  expect(compiled).toMatchObject({ ok: true, exitCode: 0, fired: null })
  expect(compiled.message.length).toBe(0)
  expect(await run(box)).toMatchObject({ exitCode: 7 })
  expect(await run(box)).toMatchObject({ exitCode: 7 })
  await box.close()
})

test('a C program that is wrong leaves the message of the compiler', async () => {
  const box = await slot.openBox()
  const compiled = await box.compile(compileRequest('int main(void) { return x; }'))
  expect(compiled).toMatchObject({ ok: false, exitCode: 1 })
  const message = Buffer.from(compiled.message).toString()
  expect(message).toContain("main.c:1:25: error: 'x' undeclared")
  expect(message).not.toContain(import.meta.dirname)
  await box.close()
})

test('a run is refused before anything has been compiled', async () => {
  const box = await slot.openBox()
  await box.compile(compileRequest('int main(void) { return x; }'))
  await expect(run(box)).rejects.toThrow(SandboxError)
  await box.close()
})

test('the message of a compiler that talks without end is cut and counted [JF8]', async () => {
  const compiled = await compileWith('while True: print("error" * 1000)')
  expect(compiled).toMatchObject({ ok: false, fired: 'output' })
  expect(compiled.message.length).toBe(65_536)
  expect(compiled.outputBytes).toBe(COMPILE_LIMITS.outputBytes)
})

test.each([
  ['a link to a host file', 'import os; os.symlink("/etc/passwd", "main")'],
  ['a link to a file beside it', 'import os; open("x", "w"); os.symlink("x", "main")'],
  ['a link to a device', 'import os; os.symlink("/dev/zero", "main")'],
  ['a FIFO, without waiting for it', 'import os; os.mkfifo("main")'],
  ['a directory', 'import os; os.mkdir("main")'],
  ['a file larger than allowed', 'open("main", "w").truncate(1025)'],
  ['a huge sparse file', 'open("main", "w").truncate(10 << 20)'],
  ['nothing at all', 'pass'],
])('an artefact is refused when it is %s', async (_name, script) => {
  expect(await compileWith(script)).toMatchObject({ ok: false, exitCode: 0, fired: null })
})

test('an artefact of exactly the allowed size is kept', async () => {
  expect(await compileWith('open("main", "w").truncate(1024)')).toMatchObject({ ok: true })
})

test('an artefact that a process left behind keeps writing is cut off with it', async () => {
  const script =
    'import os\nopen("main", "w").write("#!")\nif os.fork() == 0:\n  os.setpgid(0, 0)\n  while True: pass'
  expect(await compileWith(script)).toMatchObject({ ok: true })
})

test('a file that no kernel can execute is the program’s fault', async () => {
  const box = await slot.openBox()
  const request = compileRequest('open("main", "w").write("nonsense")', 'main.py')
  const argv = ['/usr/bin/python3', '-B', 'main.py']
  expect(await box.compile({ ...request, argv, artefact: 'main' })).toMatchObject({ ok: true })
  expect(await run(box)).toMatchObject({ fired: null, exitCode: 127 })
  await box.close()
})

test('the tools directory is at /tools, readable and nothing else, wherever it lies', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'sandbox-tools-')) // mode 0700: closed to other ids
  await mkdir(join(parent, 'tools'))
  await writeFile(join(parent, 'tools', 'answer.h'), '#define ANSWER 42\n')
  const withTools = await openSlot({ index: 1, toolsDir: join(parent, 'tools') })
  const box = await withTools.openBox()
  const source = `
    #include "/tools/answer.h"
    #include <stdio.h>
    int main(void) { return fopen("/tools/planted", "w") || remove("/tools/answer.h") == 0 ? 1 : ANSWER; }
  `
  expect(await box.compile(compileRequest(source))).toMatchObject({ ok: true })
  expect(await run(box)).toMatchObject({ exitCode: 42 })
  await withTools.close()
  await rm(parent, { recursive: true })
})

test('a Python program runs', async () => {
  const box = await slot.openBox()
  const compiled = await box.compile(compileRequest('print(int(input()) * 2)', 'main.py'))
  expect(compiled.ok).toBe(true)
  const argv = ['/usr/bin/python3', '-B', '/box/main.py']
  const result = await run(box, { argv, stdin: '21\n' })
  expect(result).toMatchObject({ exitCode: 0, fired: null })
  expect(result.stdout.toString()).toBe('42\n')
  await box.close()
})

test('a Python syntax error is a compile error with its message', async () => {
  const box = await slot.openBox()
  const compiled = await box.compile(compileRequest('print("a"\nx =', 'main.py'))
  expect(compiled).toMatchObject({ ok: false, exitCode: 1 })
  expect(Buffer.from(compiled.message).toString()).toContain('SyntaxError')
  await box.close()
})
