/** Problems about numbers: rounding, and results that are far too large. */
import { seededNumbers, solvedProblem, type DemoProblem } from './problem.ts'

function meanAndSpread(input: string): string {
  const values = input.trim().split(/\s+/).slice(1).map(Number)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return `${mean.toFixed(9)} ${Math.sqrt(variance).toFixed(9)}\n`
}

/** Mean and standard deviation, compared with a tolerance. */
export function spreadProblem(): DemoProblem {
  const number = seededNumbers(8)
  const values = (length: number, min: number, max: number) =>
    `${length}\n${Array.from({ length }, () => number(min, max)).join(' ')}\n`
  const billion = 1_000_000_000
  return solvedProblem(
    {
      problemName: 'Mean and spread',
      tags: ['mathematics'],
      description:
        'For the measurements $x_1, \\dots, x_n$ print the mean and the standard deviation\n\n$$\n\\bar x = \\frac1n \\sum_{i=1}^n x_i, \\qquad s = \\sqrt{\\frac1n \\sum_{i=1}^n (x_i - \\bar x)^2}\n$$',
      input:
        'One line with $n$ $(1 \\le n \\le 1000)$, one with the whole numbers $x_i$.\n\n- Subtask 1: $|x_i| \\le 1000$\n- Subtask 2: $|x_i| \\le 2 \\cdot 10^9$',
      output:
        'One line with $\\bar x$ and $s$. Each may be off by $10^{-4}$, absolutely or relatively.',
      hint: 'The formula $s^2 = \\overline{x^2} - \\bar x^2$ subtracts two large numbers.',
      compare: { mode: 'float', absolute: 1e-4, relative: 1e-4 },
      outputLimitKb: 64,
    },
    [
      [0, ['4\n1 2 3 4\n', '2\n-5 6\n']],
      [50, ['1\n7\n', '2\n1 2\n', values(10, -1_000, 1_000), values(1_000, 0, 999)]],
      [50, [values(100, billion, billion + 9), values(1_000, billion, billion + 99)]],
    ],
    meanAndSpread,
  )
}

const MODULUS = 1_000_000_007n

/** F(n) and F(n + 1) by doubling. */
function fibonacciPair(n: bigint): [bigint, bigint] {
  if (n === 0n) return [0n, 1n]
  const [a, b] = fibonacciPair(n / 2n)
  const even = (a * (2n * b - a + MODULUS)) % MODULUS
  const odd = (a * a + b * b) % MODULUS
  return n % 2n === 0n ? [even, odd] : [odd, (even + odd) % MODULUS]
}

/** Fibonacci numbers up to 10^18: each subtask needs a better algorithm. Ten submissions a day are allowed. */
export function fibonacciProblem(): DemoProblem {
  const inputs = (...numbers: (number | string)[]) => numbers.map((n) => `${n}\n`)
  return solvedProblem(
    {
      problemName: 'Large Fibonacci numbers',
      tags: ['mathematics', 'performance'],
      description:
        'Let $F_0 = 0$, $F_1 = 1$ and $F_n = F_{n-1} + F_{n-2}$. Print $F_n \\bmod (10^9 + 7)$.\n\nThis problem may be tried ten times a day.',
      input:
        'One line with $n$.\n\n- Subtask 1: $n \\le 20$\n- Subtask 2: $n \\le 10^6$\n- Subtask 3: $n \\le 10^{18}$',
      output: 'One line with the remainder.',
      hint: '$F_{2k} = F_k (2 F_{k+1} - F_k)$ and $F_{2k+1} = F_k^2 + F_{k+1}^2$.',
      quota: 10,
    },
    [
      [0, inputs(10, 50)],
      [20, inputs(0, 1, 2, 15, 20)],
      [30, inputs(1_000, 99_999, 1_000_000)],
      [50, inputs('1000000000000', '999999999999999999', '1000000000000000000')],
    ],
    (input) => `${fibonacciPair(BigInt(input.trim()))[0]}\n`,
  )
}
