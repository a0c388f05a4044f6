/** An interactive problem: an interactor keeps a number and answers questions about it. */
import type { DemoProblem } from './problem.ts'
import { seededNumbers, textCase } from './problem.ts'

const MEBIBYTE_KB = 1_024
const limits = { memoryLimit: 64 * MEBIBYTE_KB, timeLimit: 1_000 }

/** Exit codes: 0 accepted, 1 wrong answer, 2 the program broke the protocol, 3 the interactor's own failure. */
const INTERACTOR = `#include <cstdio>

int main(int, char **argv) {
  std::FILE *input = std::fopen(argv[1], "r");
  int most, questions, secret;
  if (!input || std::fscanf(input, "%d %d %d", &most, &questions, &secret) != 3) return 3;
  std::printf("%d\\n", most);
  std::fflush(stdout);
  for (;;) {
    char kind;
    int n;
    if (std::scanf(" %c %d", &kind, &n) != 2) return 2;
    if (kind == '!') return n == secret ? 0 : 1;
    if (kind != '?') return 2;
    if (questions-- == 0) {
      std::fprintf(stderr, "too many questions\\n");
      return 1;
    }
    std::puts(secret < n ? "lower" : secret > n ? "higher" : "equal");
    std::fflush(stdout);
  }
}
`

/** @param questions how many questions the program may ask */
function guessCase(most: number, questions: number, secret: number) {
  return textCase(`${most} ${questions} ${secret}\n`, '')
}

/** The problem “Guess the number”. */
export function guessProblem(): DemoProblem {
  const number = seededNumbers(5)
  const samples = [guessCase(10, 10, 7)]
  const patient = [1, 50, 100, number(1, 100)].map((secret) => guessCase(100, 100, secret))
  const million = 1_000_000
  const quick = [1, million, number(1, million), number(1, million)].map((secret) =>
    guessCase(million, 20, secret),
  )
  return {
    form: {
      problemName: 'Guess the number',
      status: 0,
      tags: ['interactive', 'binary search'],
      description: {
        description:
          'The judge has a number from $1$ to $n$ in mind. Find it by asking.\n\nFlush the output after every line, or both sides wait for each other: `fflush(stdout)` in C, `std::endl` in C++, `print(…, flush=True)` in Python.',
        input:
          'First one line with $n$ $(n \\le 10^6)$. Then one line for each of your questions: `lower` if the number is lower than the one you asked about, `higher` if it is higher, or `equal`.',
        output:
          'Either `? x`, to ask about $x$, or `! x`, to say that the number is $x$. After `! x` your program ends.\n\n- Subtask 1: $n = 100$, at most $100$ questions\n- Subtask 2: $n = 10^6$, at most $20$ questions',
        hint: 'Each question can halve what is left.',
        sampleInput: ['10\nhigher\nlower\n'],
        sampleOutput: ['? 5\n? 8\n! 7\n'],
      },
      testCase: [
        { caseCount: samples.length, taskScore: 0, ...limits },
        { caseCount: patient.length, taskScore: 40, ...limits },
        { caseCount: quick.length, taskScore: 60, ...limits },
      ],
      compare: { mode: 'interactor', language: 'cpp', source: INTERACTOR },
    },
    cases: [samples, patient, quick],
  }
}
