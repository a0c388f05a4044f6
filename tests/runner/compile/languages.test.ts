/** The programs that every language must have, one for each ending. `faults-hostile.long.test.ts` judges them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LANGUAGES } from '#contract/languages'
import { openSlot } from '../../../runner/sandbox/slot.ts'
import { warmUp } from '../../../runner/host/warm-up.ts'
import { ENDINGS, PROGRAMS } from '../fixtures/languages.ts'

it('every set of programs belongs to a language', () => {
  expect(Object.keys(PROGRAMS).toSorted()).toEqual(LANGUAGES.map(({ id }) => id).toSorted())
})

it('every language compiles and runs its first program, and says its version', async () => {
  const scratchDir = await mkdtemp(join(tmpdir(), 'languages-test-'))
  const slot = await openSlot({ index: 0 })
  const { versions, problems } = await warmUp({ ...slot, index: 0, scratchDir })
  expect(problems).toEqual([])
  for (const { id } of LANGUAGES) expect(versions[id], id).toMatch(/\d+\.\d+/)
  await slot.close()
  await rm(scratchDir, { recursive: true })
})

it('a language whose program does not compile, or does not end well, is named with its version', async () => {
  const scratchDir = await mkdtemp(join(tmpdir(), 'languages-test-'))
  const slot = await openSlot({ index: 0 })
  const openBox = async () => {
    const box = await slot.openBox()
    const compile: typeof box.compile = (request) => {
      const change = { 'main.c': 'int main(', 'main.py': 'raise SystemExit("no " * 999)' }
      const source = Reflect.get(change, request.sourceName) as string | undefined
      return box.compile({ ...request, ...(source && { source: Buffer.from(source) }) })
    }
    return { ...box, compile }
  }
  const { versions, problems } = await warmUp({ ...slot, openBox, index: 0, scratchDir })
  expect(problems).toEqual([
    expect.stringMatching(/^c cannot be judged \(gcc .*\): main\.c:1:\d+: error/),
    expect.stringMatching(
      /^py3 cannot be judged \(Python 3.*\): the test program did not end well: no /,
    ),
  ])
  expect(problems[1]?.length).toBeLessThan(600)
  expect(Object.keys(versions)).toEqual(['c', 'cpp', 'py3'])
  await slot.close()
  await rm(scratchDir, { recursive: true })
})

it.each(LANGUAGES)('$label comes with a program for every ending and no other [JF1]', ({ id }) => {
  expect(Object.keys(PROGRAMS[id]).toSorted()).toEqual(Object.keys(ENDINGS).toSorted())
})
