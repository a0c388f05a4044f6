/** Checkers: their verdicts, and the files that they get. */
import { describe, expect, it } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { type Cases, judged, subtask, useJudge } from '../fixtures/judging.ts'
import { checkedBy, checker, SEVEN, SPLIT_PY } from '../fixtures/referees.ts'

useJudge()

const SPLIT_CPP = `
#include <cstdio>
int main(int, char **argv) {
  FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "r");
  long long total, a, b;
  char rest;
  if (fscanf(input, "%lld", &total) != 1) return 3;
  if (fscanf(output, "%lld %lld", &a, &b) != 2 || fscanf(output, " %c", &rest) == 1) return 2;
  return a + b == total ? 0 : 1;
}`

describe('a checker', () => {
  describe.each([
    ['py3', checker(SPLIT_PY)],
    ['cpp', checker(SPLIT_CPP, 'cpp')],
  ])('in %s', (_language, compare) => {
    it.each([
      ['takes one right answer', 'print(3, 4)', STATUS.AC],
      ['takes another', 'print(10)\nprint(-3)', STATUS.AC],
      ['refuses a wrong one', 'print(1, 2)', STATUS.WA],
      ['refuses the wrong format', 'print(7)', STATUS.WA],
    ])('%s', async (_what, source, status) => {
      const result = await checkedBy(compare, source, { cases: SEVEN })
      expect(result).toMatchObject({ status, reason: null })
    })
  })

  it('is compiled with its header files, which include each other, and leaves none to its run', async () => {
    const headers = [
      { name: 'validate.h', text: '#include "more-of.h"\n' + '// '.padEnd(90_000, '-') + '\n' },
      { name: 'more-of.h', text: '#pragma once\nconst int right = 42;\n' },
    ]
    const source = `
#include "validate.h"
#include "more-of.h"
#include <cstdio>
int main() { return fopen("validate.h", "r") ? 3 : right - 42; }`
    const compare = { mode: 'checker', language: 'cpp', source, headers } as const
    expect(await checkedBy(compare, 'print(1)')).toMatchObject({ status: STATUS.AC, reason: null })
    const broken = { ...compare, headers: headers.with(1, { name: 'more-of.h', text: 'int;;;x' }) }
    const result = await checkedBy(broken, 'print(1)')
    expect(result).toMatchObject({ status: STATUS.JE })
    expect(result.reason).toMatch(/more-of\.h:1/)
  })

  it.each([
    [0, STATUS.AC],
    [1, STATUS.WA],
    [2, STATUS.WA],
    [4, STATUS.WA],
    [7, STATUS.WA],
    [8, STATUS.WA],
    [3, STATUS.JE],
    [5, STATUS.JE],
    [42, STATUS.JE],
    [137, STATUS.JE],
  ])('that ends with %i gives status %i', async (code, status) => {
    const result = await checkedBy(checker(`exit(${code})`), 'print(1)')
    expect(result.status).toBe(status)
    if (status === STATUS.JE) expect(result.reason).toMatch(/^The checker .* on case 0000\b.*\.$/)
  })

  it('is not asked about a submission that ended badly', async () => {
    const compare = checker('exit(3)')
    expect((await checkedBy(compare, 'exit(1)')).status).toBe(STATUS.RE)
    const slow = { tasks: [subtask({ timeLimit: 100 })] }
    expect((await checkedBy(compare, 'while True: pass', slow)).status).toBe(STATUS.TLE)
  })

  it('judges every case, and a subtask stops at what it refuses', async () => {
    const cases: Cases = [
      [
        ['7', ''],
        ['8', ''],
        ['7', ''],
      ],
      [['7', '']],
    ]
    const tasks = [subtask({ caseCount: 3, taskScore: 60 }), subtask({ taskScore: 40 })]
    const result = await checkedBy(checker(SPLIT_PY), 'print(3, 4)', { cases, tasks })
    expect(result).toMatchObject({ status: STATUS.WA, score: 40, reason: null })
    expect(result.tasks[0]?.cases.map(({ status }) => status)).toEqual([STATUS.AC, STATUS.WA, null])
  })

  it('gets input, output and answer byte for byte, and nothing else', async () => {
    const look = `
import os, sys
assert sys.argv[1:] == ['input', 'output', 'answer'], sys.argv
assert sorted(os.listdir('.')) == ['answer', 'input', 'output'], os.listdir('.')
assert open('input', 'rb').read() == b'in\\0', 'input'
assert open('output', 'rb').read() == b'\\xff\\0x', 'output'
assert open('answer', 'rb').read() == b'expected', 'answer'
assert sys.stdin.read() == ''
assert sorted(os.listdir('/box')) == ['main.py']
import socket
try: socket.create_connection(('127.0.0.1', 80))
except PermissionError: pass
else: raise Exception('network')
try: os.execv('./output', ['output'])
except PermissionError: pass
`
    const source = 'import sys\nsys.stdout.buffer.write(b"\\xff\\0x")'
    const cases: Cases = [[['in\0', 'expected']]]
    expect(await checkedBy(checker(look), source, { cases })).toMatchObject({
      status: STATUS.AC,
      reason: null,
    })
  })

  it('sees the output of the second run of a near miss only', async () => {
    const nearly = `#include <stdio.h>
#include <time.h>
int main(void) { printf("3 "); while (clock() < 206 * (CLOCKS_PER_SEC / 1000)); puts("4"); }`
    const result = await judged('c', nearly, {
      cases: SEVEN,
      tasks: [subtask({ timeLimit: 200 })],
      job: { compare: checker(SPLIT_PY) },
    })
    expect(result).toMatchObject({ status: STATUS.TLE, reason: null })
  })

  it('keeps nothing from one case to the next', async () => {
    const mark = `
import os, sys
if os.path.exists('/tmp/mark'): sys.exit(3)
open('/tmp/mark', 'w').write(open('output').read())
`
    const cases: Cases = [
      [
        ['1', ''],
        ['2', ''],
      ],
    ]
    expect((await checkedBy(checker(mark), 'print(1)', { cases })).status).toBe(STATUS.AC)
  })
})

describe('a Judge Error of one case', () => {
  it('leaves the other subtasks what they got', async () => {
    const fails = 'import sys\nif open(sys.argv[1]).read() == "bad": sys.exit(3)'
    const cases: Cases = [
      [['good', '']],
      [
        ['good', ''],
        ['bad', ''],
        ['good', ''],
      ],
      [['good', '']],
    ]
    const tasks = [10, 30, 60].map((taskScore, n) =>
      subtask({ taskScore, caseCount: cases[n]?.length ?? 0 }),
    )
    const result = await checkedBy(checker(fails), 'print(3)', { cases, tasks })
    expect(result).toMatchObject({ status: STATUS.JE, score: 70 })
    expect(result.reason).toMatch(/^The checker reported a failure of its own .* on case 0101\.$/)
    expect(result.tasks.map(({ status }) => status)).toEqual([STATUS.AC, STATUS.JE, STATUS.AC])
    expect(result.tasks[1]?.cases.map(({ status }) => status)).toEqual([STATUS.AC, STATUS.JE, null])
  })
})
