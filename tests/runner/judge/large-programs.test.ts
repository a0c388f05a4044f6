/** Programs with large files: up to which size they compile, and which parts count as memory. */
import { describe, expect, it } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { judged, subtask, useJudge } from '../fixtures/judging.ts'

useJudge()

/** A MiB in KiB. */
const MIB = 1024

function judgedIn(limitMib: number, source: string, language: 'c' | 'cpp' = 'c') {
  return judged(language, source, { tasks: [subtask({ memoryLimit: limitMib * MIB })] })
}

/** A program with an array of this many MiB in its file, which writes all of it. */
function writes(sizeMib: number): string {
  return `
#include <stdio.h>
int array[${sizeMib} << 18] = {1};
int main(void) {
  for (int at = 0; at < ${sizeMib} << 18; at++) array[at] = at;
  volatile int *last = &array[(${sizeMib} << 18) - 1];
  printf("%d\\n", *last ? 3 : 0);
}`
}

/** A program that reads a table of this many KiB in a section of its file. */
function reads(sizeKib: number, section: string, end: string): string {
  return `
#include <stdio.h>
__asm__(".section ${section}\\n.globl table\\ntable: .fill ${sizeKib * 1024}, 1, 7\\n.text");
extern const volatile unsigned char table[];
int main(void) {
  unsigned sum = 0;
  for (unsigned long at = 0; at < ${sizeKib * 1024}; at += 4096) sum += table[at];
  ${end}
}`
}

const PRINTS = 'printf("%d\\n", sum ? 3 : 0);'

describe('a program’s memory', () => {
  it('is at least its file, so that 28 MiB of read-only data are too much for 8 MiB', async () => {
    const result = await judgedIn(8, reads(28 * MIB, '.rodata', PRINTS))
    expect(result.status).toBe(STATUS.MLE)
    expect(result.memoryUsage).toBeGreaterThanOrEqual(28 * MIB)
    expect(result.memoryUsage).toBeLessThan(29 * MIB)
  })

  it('is at least its file, also of what it may write and only reads', async () => {
    const result = await judgedIn(8, reads(28 * MIB, '.data', PRINTS))
    expect(result.status).toBe(STATUS.MLE)
    expect(result.memoryUsage).toBeGreaterThanOrEqual(28 * MIB)
  })

  it('is too much as soon as the program begins, where its file alone is', async () => {
    const spins = reads(28 * MIB, '.rodata', 'for (volatile int i = 0;; i++);')
    const { status, runTime } = await judgedIn(8, spins)
    expect(status).toBe(STATUS.MLE)
    expect(runTime).toBeLessThan(500)
  })

  it('has no room left beside a file that is nearly as large as the limit', async () => {
    const result = await judgedIn(28, reads(28 * MIB - 100, '.rodata', PRINTS))
    expect(result.status).toBe(STATUS.MLE)
    expect(result.memoryUsage).toBeGreaterThan(28 * MIB)
  })

  it('counts an array that it writes once, though the file holds it too', async () => {
    const result = await judgedIn(64, writes(30))
    expect(result.status).toBe(STATUS.AC)
    expect(result.memoryUsage).toBeGreaterThanOrEqual(30 * MIB)
    expect(result.memoryUsage).toBeLessThan(34 * MIB)
  })

  it.each(['c', 'cpp'] as const)('has room for 62 of 64 MiB of such an array in %s', async (id) => {
    const result = await judgedIn(64, writes(62), id)
    expect(result).toMatchObject({ status: STATUS.AC, compileMessage: null })
    expect(result.memoryUsage).toBeGreaterThanOrEqual(62 * MIB)
    expect(result.memoryUsage).toBeLessThan(64 * MIB)
  })
})

describe('a program of more than 64 MiB', () => {
  it.each([
    ['that the compiler makes in full', 65, 'c'],
    ['that the compiler makes in full', 65, 'cpp'],
    ['for which the compiler has no room', 350, 'c'],
    ['of which a part has no room', 1_000, 'c'],
    ['of which a part has no room', 1_000, 'cpp'],
  ] as const)('%s (%i MiB in %s) is told in one sentence with the size', async (_, size, id) => {
    const { status, compileMessage } = await judgedIn(64, writes(size), id)
    expect(status).toBe(STATUS.CE)
    expect(compileMessage).toMatch(/^The program is larger than 64 MiB, [^\n]*\.$/)
  })
})
