/** A problem about speed: each subtask needs a better algorithm. */
import type { DemoProblem } from './problem.ts'
import { seededNumbers, textCase } from './problem.ts'

const MEBIBYTE_KB = 1_024
const limits = { memoryLimit: 64 * MEBIBYTE_KB, timeLimit: 500 }

/** The largest sum of k neighbours. */
function largestWindow(values: number[], k: number): number {
  let sum = 0
  let best = -Infinity
  for (const [index, value] of values.entries()) {
    sum += value
    if (index >= k) sum -= values[index - k] ?? 0
    if (index >= k - 1) best = Math.max(best, sum)
  }
  return best
}

function windowCase(values: number[], k: number) {
  return textCase(`${values.length} ${k}\n${values.join(' ')}\n`, `${largestWindow(values, k)}\n`)
}

/** The problem “The busiest stretch”: a program of quadratic time passes only the first scored subtasks. */
export function windowProblem(): DemoProblem {
  const number = seededNumbers(3)
  function random(length: number, k: number) {
    const values = Array.from({ length }, () => number(-10_000, 10_000))
    return windowCase(values, k)
  }
  const samples = [windowCase([3, -1, 4, 1, -5, 9], 2), windowCase([-2, 5, -1], 1)]
  const small = [
    windowCase([-number(1, 10_000)], 1),
    random(10, 3),
    random(100, 100),
    random(100, 7),
  ]
  const medium = [random(2_000, 1_000), random(2_000, 2), random(1_999, 1_999)]
  const large = [random(100_000, 50_000), random(100_000, 33_333), random(99_999, 1)]
  return {
    form: {
      problemName: 'The busiest stretch',
      status: 0,
      tags: ['sliding window', 'performance'],
      description: {
        description:
          'A road has $n$ sections; section $i$ is worth $v_i$. Find $k$ neighbouring sections whose worth\n\n$$\nv_i + v_{i+1} + \\dots + v_{i+k-1}\n$$\n\nis as large as possible.',
        input:
          'The first line holds $n$ and $k$ $(1 \\le k \\le n)$, the second $v_1, \\dots, v_n$ $(|v_i| \\le 10^4)$.\n\n- Subtask 1: $n \\le 100$\n- Subtask 2: $n \\le 2\\,000$\n- Subtask 3: $n \\le 100\\,000$',
        output: 'One line with the largest worth.',
        hint: 'Adding up every stretch anew takes $\\Theta(nk)$ steps, too many for the last subtask. What changes when the stretch moves on by one section?',
        sampleInput: ['6 2\n3 -1 4 1 -5 9\n', '3 1\n-2 5 -1\n'],
        sampleOutput: ['5\n', '5\n'],
      },
      testCase: [
        { caseCount: samples.length, taskScore: 0, ...limits },
        { caseCount: small.length, taskScore: 20, ...limits },
        { caseCount: medium.length, taskScore: 30, ...limits },
        { caseCount: large.length, taskScore: 50, ...limits },
      ],
    },
    cases: [samples, small, medium, large],
  }
}
