/**
 * Submissions that attack their interactor get a verdict that they deserve, never a Judge Error, and their
 * job is never handed back. Each runs once; `npm run test:full` runs each twenty times.
 */
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { JUDGE_PROGRAM_LIMITS } from '../../../runner/judge/judge-program.ts'
import { type Cases, judged, subtask, useJudge } from '../fixtures/judging.ts'
import { USER_MODE_LINUX } from '../fixtures/sandbox.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/hostile-talk')
const isFull = Reflect.get(import.meta, 'env').MODE === 'full'
const REPEATS = isFull && !USER_MODE_LINUX ? 20 : 1

useJudge()

/** Its input holds the secret number; it leaves after eight questions. */
const PATIENT_FOR_EIGHT = `#include <cstdio>
int main(int, char **argv) {
  int secret, n;
  char kind;
  if (fscanf(fopen(argv[1], "r"), "%d", &secret) != 1) return 3;
  for (int tries = 0; tries < 8; tries++) {
    if (scanf(" %c %d", &kind, &n) != 2) return 2;
    if (kind == '!') return n == secret ? 0 : 1;
    puts(n == secret ? "equal" : "other");
    fflush(stdout);
  }
  return 1;
}`
/** The same without end, slower, and crashing at anything but questions and answers. */
const PATIENT_FOR_EVER = `
import sys
secret = int(open(sys.argv[1]).read())
while True:
    kind, n = input().split()
    if kind == '!':
        sys.exit(0 if int(n) == secret else 1)
    print('equal' if int(n) == secret else 'other', flush=True)
`
/** Answers a wrong guess with a thousand words instead of one. */
const TALKATIVE = PATIENT_FOR_EVER.replace("'other'", "'other' * 1000")
/** Reads the whole output before it decides. */
const SLOW_READER = `
import sys
secret = int(open(sys.argv[1]).read())
said = [list(line) for line in sys.stdin.read().split('\\n')]
sys.exit(0 if list('! %d' % secret) in said else 1)
`

const INTERACTORS = {
  'patient for eight': { mode: 'interactor', language: 'cpp', source: PATIENT_FOR_EIGHT },
  'patient for ever': { mode: 'interactor', language: 'py3', source: PATIENT_FOR_EVER },
  talkative: { mode: 'interactor', language: 'py3', source: TALKATIVE },
  'a slow reader': { mode: 'interactor', language: 'py3', source: SLOW_READER },
} as const

/** The allowed verdicts of each program, with a space between them. */
const ALLOWED: Record<string, string> = {
  'flood-unread.c': 'WA TLE OLE',
  'flood-then-sleep.c': 'WA TLE OLE',
  'flood-then-exit.c': 'WA TLE OLE',
  'flood-read.c': 'WA TLE OLE',
  'flood-two-ways.c': 'WA TLE OLE',
  'flood-zeroes.c': 'WA TLE OLE',
  'never-read.c': 'TLE',
  'only-read.c': 'TLE',
  'close-input.c': 'TLE',
  'close-output.c': 'WA TLE',
  'close-both.c': 'WA TLE',
  'exit-at-once.c': 'WA',
  'half-line.c': 'TLE',
  'half-line-exit.c': 'WA',
  'drip.c': 'AC TLE',
  'orphan.c': 'AC',
  'orphan-talks.c': 'WA TLE OLE',
  'stopped.c': 'TLE',
  'crash-over-answer.c': 'RE TLE',
  'tiny-pipe.c': 'WA TLE OLE',
  'nonblocking.c': 'WA TLE OLE',
  'flood_unread.py': 'WA TLE OLE',
  'flood_read.py': 'WA TLE OLE',
  'close_input.py': 'TLE',
  'close_output.py': 'WA TLE',
  'exit_at_once.py': 'WA',
  'half_line.py': 'TLE',
  'drip.py': 'AC TLE',
  'orphan.py': 'AC',
  'no_utf8.py': 'WA',
  'long_line.py': 'WA',
}
const LIMITS = { ...JUDGE_PROGRAM_LIMITS, cpuMs: 1_000, memoryKb: 64 * 1024 }
const CASES: Cases = [[['37\n', '']]]
const NAMES = new Map<number, string>(Object.entries(STATUS).map(([name, code]) => [code, name]))

describe.each(Object.entries(INTERACTORS))('beside an interactor that is %s', (_what, compare) => {
  test.for(Object.entries(ALLOWED))('%s: %s', { repeats: REPEATS - 1 }, async ([file, allowed]) => {
    const source = readFileSync(join(FIXTURES, file))
    const result = await judged(extname(file) === '.c' ? 'c' : 'py3', source, {
      cases: CASES,
      tasks: [subtask({ timeLimit: USER_MODE_LINUX ? 1_000 : 300 })],
      tools: { refereeLimits: LIMITS },
      job: { compare },
    })
    expect(allowed.split(' '), result.reason ?? '').toContain(NAMES.get(result.status))
  })
})
