/**
 * Conversations on a host with eight busy loops: the host's load is never the program's fault. `npm run test:full`
 * judges the whole problem of 259 cases ten times; other runs judge a few cases.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { startCrowd } from '../fixtures/crowd.ts'
import { type Cases, judged, subtask, useJudge } from '../fixtures/judging.ts'
import { USER_MODE_LINUX } from '../fixtures/sandbox.ts'

const isFull = Reflect.get(import.meta, 'env').MODE === 'full'
const [CASES, ROUNDS] = isFull && !USER_MODE_LINUX ? [259, 10] : [6, 1]
const EXCHANGES = isFull ? 500 : 100
const LOOPS = 8

useJudge()

let endCrowd = () => {}
beforeAll(async () => {
  endCrowd = await startCrowd(LOOPS)
})
afterAll(() => endCrowd())

/** Answers each number with the next one. */
const NEXT = `#include <cstdio>
int main() {
  long n = 0;
  while (scanf("%ld", &n) == 1 && n >= 0) {
    printf("%ld\\n", n + 1);
    fflush(stdout);
  }
  return n == -1 ? 0 : 1;
}`
const compare = { mode: 'interactor', language: 'cpp', source: NEXT } as const

/** A program that asks, computes a little after each answer, and uses this much CPU time in all. */
function asks(exchanges: number, cpuSeconds: number): string {
  return `#include <stdio.h>
#include <time.h>
int main(void) {
  long n = 0, said;
  for (int round = 1; round <= ${exchanges}; round++) {
    printf("%ld\\n", n);
    fflush(stdout);
    if (scanf("%ld", &said) != 1 || said != n + 1) return 1;
    n = said;
    while (clock() < round * ${cpuSeconds} / ${exchanges} * CLOCKS_PER_SEC) {}
  }
  puts("-1");
}`
}

/** Splits the cases, because a subtask has at most a hundred. */
function conversation(count: number, source: string, timeLimit: number) {
  const counts = Array.from({ length: Math.ceil(count / 100) }, (_, task) =>
    Math.min(100, count - 100 * task),
  )
  const cases: Cases = counts.map((caseCount) =>
    Array.from({ length: caseCount }, (): [string, string] => ['', '']),
  )
  const tasks = counts.map((caseCount) => subtask({ caseCount, timeLimit }))
  return judged('c', source, { cases, tasks, job: { compare } })
}

it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
  `${CASES} cases with ${EXCHANGES} exchanges each are accepted, round %i`,
  async () => {
    const result = await conversation(CASES, asks(EXCHANGES, 0), 1_000)
    expect(result).toMatchObject({ status: STATUS.AC, reason: null })
  },
  3_600_000,
)

it.skipIf(USER_MODE_LINUX)(
  'a program that uses two thirds of its CPU time in between is accepted',
  async () => {
    const result = await conversation(1, asks(2 * EXCHANGES, 2), 3_000)
    expect(result).toMatchObject({ status: STATUS.AC, reason: null })
  },
)

it('a program that only sleeps is stopped', async () => {
  const sleeps = '#include <unistd.h>\nint main(void) { sleep(600); }'
  expect((await conversation(1, sleeps, 100)).status).toBe(STATUS.TLE)
})
