/** Future problems of the course: a problem that is hidden until its homework begins, and a draft. */
import { seededNumbers, solvedProblem, type DemoProblem } from './problem.ts'

/** The number of steps of the shortest way from the first to the last field; -1: there is no way. */
function shortestWay(input: string): number {
  const rows = input.trim().split('\n').slice(1)
  const width = rows[0]?.length ?? 0
  const isFree = (x: number, y: number) => rows[y]?.[x] === '.'
  const steps = new Map([[0, 0]])
  for (const [field, count] of steps) {
    const [x, y] = [field % width, Math.floor(field / width)]
    const neighbours = [
      [x + 1, y],
      [x - 1, y],
      [x, y + 1],
      [x, y - 1],
    ] as const
    for (const [nextX, nextY] of neighbours) {
      const next = nextY * width + nextX
      if (isFree(nextX, nextY) && !steps.has(next)) steps.set(next, count + 1)
    }
  }
  return steps.get(rows.length * width - 1) ?? -1
}

/** The maze, which accepts only C and C++. */
export function mazeProblem(): DemoProblem {
  const number = seededNumbers(9)
  function maze(size: number, wallPercent: number): string {
    const field = (index: number) =>
      index % (size * size - 1) !== 0 && number(1, 100) <= wallPercent ? '#' : '.'
    const fields = Array.from({ length: size * size }, (_, index) => field(index)).join('')
    return `${size}\n${fields.replaceAll(new RegExp(`.{${size}}`, 'g'), '$&\n')}`
  }
  return solvedProblem(
    {
      problemName: 'A way out of the maze',
      tags: ['graphs'],
      description:
        'A maze has $n \\times n$ fields: `.` is free, `#` is a wall. One step leads up, down, left or right. How many steps are needed from the upper left field to the lower right one?',
      input:
        'One line with $n$, then $n$ lines of $n$ characters.\n\n- Subtask 1: $n \\le 10$\n- Subtask 2: $n \\le 500$',
      output: 'The number of steps, or `-1` if there is no way.',
      hint: 'Visit the fields in the order of their distance.',
      allowedLanguage: 3,
    },
    [
      [0, ['3\n..#\n#..\n##.\n', '2\n.#\n#.\n']],
      [40, ['1\n.\n', maze(5, 20), maze(10, 30), maze(10, 45)]],
      [60, [maze(100, 20), maze(500, 30), maze(500, 45)]],
    ],
    (input) => `${shortestWay(input)}\n`,
  )
}

/** A draft: hidden, and without test data yet. */
export function draftProblem(): DemoProblem {
  const { form } = solvedProblem(
    {
      problemName: 'The heaviest rucksack',
      tags: ['draft'],
      description: 'Choose things for a rucksack that bears $w$ kilograms. *To be written.*',
      input: '',
      output: '',
    },
    [
      [0, ['']],
      [100, ['']],
    ],
    () => '',
  )
  return { form: { ...form, status: 1 }, cases: [] }
}
