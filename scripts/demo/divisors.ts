/** A problem with mathematics in its statement: the sum of all divisors. */
import type { DemoProblem } from './problem.ts'
import { seededNumbers, textCase } from './problem.ts'

const MEBIBYTE_KB = 1_024
const limits = { memoryLimit: 128 * MEBIBYTE_KB, timeLimit: 1_000 }

/** Sum of all divisors of n, by its pairs of divisors. */
function divisorSum(n: number): number {
  let sum = 0
  for (let d = 1; d * d <= n; d += 1) if (n % d === 0) sum += d * d === n ? d : d + n / d
  return sum
}

/** The kind of a number as a word: the second line of the answer. */
function kindOf(n: number): string {
  const proper = divisorSum(n) - n
  if (proper === n) return 'perfect'
  return proper < n ? 'deficient' : 'abundant'
}

function divisorCase(n: number) {
  return textCase(`${n}\n`, `${divisorSum(n)}\n${kindOf(n)}\n`)
}

/** σ(n), and whether n is deficient, perfect or abundant. */
export function divisorProblem(): DemoProblem {
  const number = seededNumbers(2)
  const small = [1, 2, 6, 12, 28, 36, 97, 100].map(divisorCase)
  const large = [33_550_336, 1_000_000_007, 999_950_884, 735_134_400, number(1e8, 1e9)].map(
    divisorCase,
  )
  return {
    form: {
      problemName: 'Perfect numbers',
      status: 0,
      tags: ['mathematics', 'text'],
      description: {
        description: [
          'For a positive whole number $n$ let',
          '',
          '$$\\sigma(n) = \\sum_{d \\mid n} d$$',
          '',
          'be the sum of all its divisors. The number $n$ is',
          '',
          '| word | when |',
          '| --- | --- |',
          '| `deficient` | $\\sigma(n) < 2n$ |',
          '| `perfect` | $\\sigma(n) = 2n$ |',
          '| `abundant` | $\\sigma(n) > 2n$ |',
        ].join('\n'),
        input:
          'One line with $n$. First scored subtask: $1 \\le n \\le 100$; second: $n \\le 2 \\cdot 10^9$.',
        output: 'Two lines: $\\sigma(n)$, and the word that fits.',
        hint: 'If $d$ divides $n$, so does $\\frac{n}{d}$; one of the two is at most $\\sqrt{n}$.',
        sampleInput: ['6\n', '12\n', '7\n'],
        sampleOutput: ['12\nperfect\n', '28\nabundant\n', '8\ndeficient\n'],
      },
      testCase: [
        { caseCount: 3, taskScore: 0, ...limits },
        { caseCount: small.length, taskScore: 40, ...limits },
        { caseCount: large.length, taskScore: 60, ...limits },
      ],
    },
    cases: [[6, 12, 7].map(divisorCase), small, large],
  }
}
