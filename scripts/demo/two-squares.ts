/** A problem with several right answers, so a checker decides. */
import type { DemoProblem } from './problem.ts'
import { seededNumbers, textCase } from './problem.ts'

const MEBIBYTE_KB = 1_024
const limits = { memoryLimit: 64 * MEBIBYTE_KB, timeLimit: 1_000 }

/** Exit codes: 0 accepted, 1 wrong answer, 3 the checker's own failure. */
const CHECKER = `import re
import sys

def refuse(why):
    print(why, file=sys.stderr)
    sys.exit(1)

n = int(open(sys.argv[1]).read())
words = open(sys.argv[2], 'rb').read().split()
possible = open(sys.argv[3]).read().strip() == 'possible'

if words == [b'impossible']:
    if possible:
        refuse('there are two such numbers')
    sys.exit(0)
if len(words) != 2 or not all(re.fullmatch(rb'[0-9]{1,9}', word) for word in words):
    refuse('neither two whole numbers nor the word impossible')
a, b = map(int, words)
if a * a + b * b != n:
    refuse(f'{a} and {b} do not give {n}')
if not possible:
    # The answer file says otherwise: the test data are wrong, not the submission.
    print(f'{a} and {b} give {n}, which the answer file calls impossible', file=sys.stderr)
    sys.exit(3)
`

function isPossible(n: number): boolean {
  for (let a = 0; a * a <= n; a += 1) if (Number.isInteger(Math.sqrt(n - a * a))) return true
  return false
}

function squaresCase(n: number) {
  return textCase(`${n}\n`, isPossible(n) ? 'possible\n' : 'impossible\n')
}

/** Two squares. */
export function squaresProblem(): DemoProblem {
  const number = seededNumbers(4)
  const sum = (most: number) => number(0, most) ** 2 + number(0, most) ** 2
  const samples = [squaresCase(25), squaresCase(3)]
  const small = [0, 1, 2, 7, sum(20), sum(20), number(1, 999)].map((n) => squaresCase(n))
  const large = [sum(20_000), sum(20_000), 999_999_999, number(1, 10 ** 9)].map((n) =>
    squaresCase(n),
  )
  return {
    form: {
      problemName: 'Two squares',
      status: 0,
      tags: ['checker'],
      description: {
        description:
          'Find two whole numbers $a, b \\ge 0$ with $a^2 + b^2 = n$. If there are several such pairs, **any of them** is right.',
        input: 'One line with $n$ $(0 \\le n \\le 10^9)$; $n < 1000$ in the first subtask.',
        output: 'One line with $a$ and $b$, or the word `impossible`.',
        hint: 'How many values of $a$ are there to try?',
        sampleInput: ['25\n', '3\n'],
        sampleOutput: ['3 4\n', 'impossible\n'],
      },
      testCase: [
        { caseCount: samples.length, taskScore: 0, ...limits },
        { caseCount: small.length, taskScore: 50, ...limits },
        { caseCount: large.length, taskScore: 50, ...limits },
      ],
      compare: { mode: 'checker', language: 'py3', source: CHECKER },
    },
    cases: [samples, small, large],
  }
}
