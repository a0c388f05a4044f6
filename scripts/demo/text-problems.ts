/** Problems about text: characters one by one, a stack, a table of counts. */
import { seededNumbers, solvedProblem, type DemoProblem } from './problem.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

function encrypt(input: string): string {
  const [head = '', text = ''] = input.split('\n')
  const shift = Number(head) % 26
  const moved = (letters: string, letter: string) =>
    letters[(letters.indexOf(letter) + shift) % 26] ?? ''
  const encrypted = text
    .replaceAll(/[a-z]/g, (letter) => moved(LETTERS, letter))
    .replaceAll(/[A-Z]/g, (letter) => moved(LETTERS.toUpperCase(), letter))
  return `${encrypted}\n`
}

/** Caesar's cipher; every byte of the output counts. */
export function cipherProblem(): DemoProblem {
  const number = seededNumbers(6)
  const word = () => Array.from({ length: number(3, 9) }, () => LETTERS[number(0, 25)]).join('')
  const line = () => Array.from({ length: number(2, 12) }, word).join(' ')
  return solvedProblem(
    {
      problemName: 'Caesar cipher',
      tags: ['text'],
      description:
        'Replace each letter by the one $k$ places further in the alphabet; after `z` comes `a`. Upper-case letters stay upper-case. Everything else stays as it is.',
      input:
        'One line with $k$ $(0 \\le k \\le 10^9)$, one with the text, at most $200$ characters of ASCII.\n\n- Subtask 1: lower-case letters and spaces\n- Subtask 2: anything',
      output: 'The encrypted text. **Spaces count**: outputs are compared byte for byte.',
      hint: 'How far is $k$ places when $k$ is larger than $26$?',
      compare: { mode: 'exact' },
    },
    [
      [0, ['3\nhello world\n', '1\nxyz\n']],
      [40, Array.from({ length: 5 }, () => `${number(0, 99)}\n${line()}\n`)],
      [60, [`0\nA-B, C;  d?\n`, `13\nWhy Did I, again?\n`, `999999999\n${line()} 1 + 1 = Two!\n`]],
    ],
    encrypt,
  )
}

const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

function isBalanced(text: string): boolean {
  const open: string[] = []
  for (const bracket of text) {
    const partner = PAIRS[bracket]
    if (partner === undefined) open.push(bracket)
    else if (open.pop() !== partner) return false
  }
  return open.length === 0
}

/** Brackets: a stack, and programs that count instead. */
export function bracketsProblem(): DemoProblem {
  const deep = 50_000
  return solvedProblem(
    {
      problemName: 'Brackets',
      tags: ['text', 'stack'],
      description:
        'A text of brackets is *balanced* when every bracket is closed by one of its own kind, and pairs do not cross: `([]{})` is, `([)]` is not.',
      input:
        'One line of at most $10^5$ characters from `()[]{}`.\n\n- Subtask 1: only `(` and `)`\n- Subtask 2: at most $100$ characters\n- Subtask 3: no further limits',
      output: '`yes` or `no`.',
      compare: { mode: 'tokens' },
    },
    [
      [0, ['([]{})\n', '(()\n']],
      [30, ['()\n', '(())()\n', '((()\n', '())\n']],
      [30, ['{[()]}\n', '([)]\n', '[{]}\n', '[][]{}\n']],
      [
        40,
        [
          `${'('.repeat(deep)}${')'.repeat(deep)}\n`,
          `${'([{'.repeat(deep / 5)}${'}])'.repeat(deep / 5)}\n`,
          `${'[('.repeat(deep / 2)}${'])'.repeat(deep / 2)}\n`,
        ],
      ],
    ],
    (input) => (isBalanced(input.trim()) ? 'yes\n' : 'no\n'),
  )
}

function countWords(input: string): string {
  const counts = new Map<string, number>()
  for (const word of input.split(/\s+/).slice(1, -1)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const lines = [...counts].toSorted(
    ([left, some], [right, others]) => others - some || (left < right ? -1 : 1),
  )
  return lines.map(([word, count]) => `${word} ${count}\n`).join('')
}

/** Counting words: a table of counts, and an order with ties. */
export function wordsProblem(): DemoProblem {
  const number = seededNumbers(7)
  const text = (length: number, most: number) => {
    const words = Array.from({ length }, () => `w${number(1, most).toString(36)}`)
    return `${length}\n${words.join(' ')}\n`
  }
  return solvedProblem(
    {
      problemName: 'Counting words',
      tags: ['text', 'sorting'],
      description:
        'Count how often each word occurs. Print the most frequent word first; of words with the same count, the alphabetically first.',
      input:
        'One line with the number of words $n$, one with the words: lower-case letters and digits.\n\n- Subtask 1: $n \\le 100$\n- Subtask 2: $n \\le 50\\,000$',
      output: 'One line for each different word: the word and its count.',
    },
    [
      [0, ['5\nto be or not to\n', '3\nb a c\n']],
      [50, ['1\nalone\n', text(20, 6), text(100, 20), text(100, 200)]],
      [50, [text(50_000, 30), text(50_000, 25_000), text(49_999, 40_000)]],
    ],
    countWords,
  )
}
