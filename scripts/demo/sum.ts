/** The first problem: reading two numbers whose sum does not fit into 32 bits. */
import type { DemoProblem } from './problem.ts'
import { seededNumbers, textCase } from './problem.ts'

const MEBIBYTE_KB = 1_024
const limits = { memoryLimit: 64 * MEBIBYTE_KB, timeLimit: 1_000 }

function sumCase(a: number, b: number) {
  return textCase(`${a} ${b}\n`, `${a + b}\n`)
}

/** A + B. */
export function sumProblem(): DemoProblem {
  const number = seededNumbers(1)
  const small = Array.from({ length: 5 }, () => sumCase(number(-1_000, 1_000), number(-999, 999)))
  const billion = 1_000_000_000
  const large = Array.from({ length: 5 }, () =>
    sumCase(number(billion, 9 * billion), number(billion, 9 * billion)),
  )
  return {
    form: {
      problemName: 'A + B',
      status: 0,
      tags: ['warm-up'],
      description: {
        description:
          'Read two whole numbers $a$ and $b$ and print their sum.\n\nThe numbers of the last subtask do **not** fit into 32 bits.',
        input: 'One line with $a$ and $b$ $(|a|, |b| \\le 10^{10})$, separated by a space.',
        output: 'One line with $a + b$.',
        hint: 'In C and C++ use `long long`.',
        sampleInput: ['1 2\n', '-5 5\n'],
        sampleOutput: ['3\n', '0\n'],
      },
      testCase: [
        { caseCount: 2, taskScore: 0, ...limits },
        { caseCount: small.length, taskScore: 50, ...limits },
        { caseCount: large.length, taskScore: 50, ...limits },
      ],
    },
    cases: [[sumCase(1, 2), sumCase(-5, 5)], small, large],
  }
}
