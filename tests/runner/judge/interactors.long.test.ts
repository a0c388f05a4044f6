/**
 * Conversations beside a busy neighbour: the verdict is the same every time, whichever process the scheduler
 * runs first, and no process or file is left. Three rounds; `npm run test:full` makes twenty, and two thousand runs.
 */
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STATUS } from '#contract/verdicts'
import type { Box } from '../../../runner/sandbox/box.ts'
import { openSlot, type Slot } from '../../../runner/sandbox/slot.ts'
import { type Cases, judged, subtask, useJudge } from '../fixtures/judging.ts'
import { descendants } from '../fixtures/processes.ts'
import { compileProgram, run, USER_MODE_LINUX } from '../fixtures/sandbox.ts'

const isFull = Reflect.get(import.meta, 'env').MODE === 'full'
const ROUNDS = isFull && !USER_MODE_LINUX ? 20 : 3
const CASES_TOGETHER = isFull && !USER_MODE_LINUX ? 2_000 : 60

useJudge()

/** Spins on the other slot for as long as the tests run. */
let neighbour: Slot
let box: Box
let busy: Promise<void>
const stop = new AbortController()
beforeAll(async () => {
  neighbour = await openSlot({ index: 1 })
  box = await neighbour.openBox()
  await compileProgram(box, 'spin.c')
  busy = (async () => {
    while (!stop.signal.aborted) await run(box, { limits: { cpuMs: 500 } })
  })()
})
afterAll(endNeighbour)

async function endNeighbour(): Promise<void> {
  stop.abort()
  await busy
  await box.close()
  await neighbour.close()
}

/** Reads one line, accepts `right` and refuses anything else, and then ends silently. */
const JUDGE = `#include <cstdio>
#include <cstring>
int main() {
  char line[64] = "";
  puts("go");
  fflush(stdout);
  if (!fgets(line, sizeof line, stdin)) return 2;
  return strcmp(line, "right\\n") == 0 ? 0 : 1;
}`
const compare = { mode: 'interactor', language: 'cpp', source: JUDGE } as const

/** A C program that prints a line and then runs a statement. */
function says(line: string, then: string): string {
  return `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char word[64];
  if (scanf("%63s", word) != 1) return 9;
  ${line === '' ? '' : `puts("${line}"); fflush(stdout);`}
  ${then}
  return 0;
}`
}

const READS_ON = 'if (scanf("%63s", word) != 1) abort();'

describe.each<[what: string, source: string, status: number]>([
  ['a right line', says('right', ''), STATUS.AC],
  [
    'a right line and more that nobody reads',
    says('right', 'for (int i = 0; i < 9999; i++) puts("more");'),
    STATUS.AC,
  ],
  ['a wrong line', says('wrong', ''), STATUS.WA],
  ['a wrong line, then an abort for want of a partner', says('wrong', READS_ON), STATUS.WA],
  [
    'a wrong line, then a bad exit code at the end of input',
    says('wrong', 'while (scanf("%63s", word) == 1) {} return 7;'),
    STATUS.WA,
  ],
  ['nothing, then a crash', says('', 'abort();'), STATUS.RE],
  ['nothing, then a bad exit code', says('', 'return 4;'), STATUS.RE],
  ['nothing at all', says('', ''), STATUS.WA],
  ['its output closed, then a right end', says('', 'close(1);'), STATUS.WA],
])('%s', (_what, source, status) => {
  it(`gets the same verdict ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round++)
      expect(await judged('c', source, { cases: [[['', '']]], job: { compare } })).toMatchObject({
        status,
        reason: null,
      })
  })
})

it('leaves no process and no descriptor behind', async () => {
  const right = says('right', '')
  const cases = (count: number): Cases => [Array.from({ length: count }, () => ['', ''])]
  const talk = (count: number) =>
    judged('c', right, {
      cases: cases(count),
      tasks: [subtask({ caseCount: count })],
      job: { compare },
    })
  await endNeighbour()
  await talk(1)
  const before = {
    open: readdirSync('/proc/self/fd').length,
    alive: descendants(process.pid).length,
  }
  for (let left = CASES_TOGETHER; left > 0; left -= 100)
    expect((await talk(Math.min(left, 100))).status).toBe(STATUS.AC)
  expect({
    open: readdirSync('/proc/self/fd').length,
    alive: descendants(process.pid).length,
  }).toEqual(before)
})
