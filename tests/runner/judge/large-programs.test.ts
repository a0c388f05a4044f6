/** Programs whose file holds much: up to which size they compile. */
import { describe, expect, it } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { judged, subtask, useJudge } from '../fixtures/judging.ts'

useJudge()

/** KiB. */
const MIB = 1024

/** Judges with a memory limit in MiB. */
function judgedIn(limitMib: number, source: string, language: 'c' | 'cpp' = 'c') {
  return judged(language, source, { tasks: [subtask({ memoryLimit: limitMib * MIB })] })
}

/** Has an array of so many MiB that lies in its file, and writes all of it. */
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

it.each(['c', 'cpp'] as const)('a program of 62 MiB compiles in %s', async (id) => {
  expect(await judgedIn(256, writes(62), id)).toMatchObject({
    status: STATUS.AC,
    compileMessage: null,
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
