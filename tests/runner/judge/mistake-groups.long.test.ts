/**
 * Programs with planted mistakes, judged on the real sandbox. `fixtures/mistakes/<problem>/<mistake>/` has the programs that make a mistake, each in
 * its own way; the programs in `right` make none. Each mistake is found whole, and none is mixed with another.
 */
import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { expect, it } from 'vitest'
import { LANGUAGES } from '#contract/languages'
import { mistake as mistakeSchema } from '#contract/submissions'
import { type Cases, judged, type JudgedOptions, subtask, useJudge } from '../fixtures/judging.ts'

useJudge()

const ROOT = join(import.meta.dirname, '../fixtures/mistakes')

/** The largest number, or none; then the numbers in order. */
const NUMBERS: Cases = [
  [['3\n3 1 2\n', '3\n1 2 3\n']],
  [
    ['1\n7\n', '7\n7\n'],
    ['0\n', 'none\n'],
    ['4\n-5 -2 -9 -7\n', '-2\n-9 -7 -5 -2\n'],
  ],
]

/** Mean and standard deviation. */
const MEAN: Cases = [[['5\n1.25 2 4 5.5 7\n', '3.95 2.1354156504062622\n']]]

const PROBLEMS: [problem: string, options: JudgedOptions][] = [
  [
    'numbers',
    {
      cases: NUMBERS,
      tasks: [subtask({ taskScore: 0, sample: true }), subtask({ caseCount: 3 })],
    },
  ],
  ['mean', { cases: MEAN, job: { compare: { mode: 'float' } } }],
  ['compile', {}],
]

it.each(PROBLEMS)('of the problem %s', async (problem, options) => {
  const folder = join(ROOT, problem)
  const files = globSync('*/*.*', { cwd: folder }).toSorted()
  const found = new Map<string, string[]>()
  const planted = new Map<string, string[]>()
  for (const file of files) {
    const ending = extname(file).slice(1)
    const language = LANGUAGES.find(({ fileEndings }) => fileEndings.includes(ending))
    if (!language) throw new Error(`${file} is of no language.`)
    const { mistake, status } = await judged(
      language.id,
      await readFile(join(folder, file)),
      options,
    )
    const isRight = dirname(file) === 'right'
    expect([file, status === 0, mistake === null]).toEqual([file, isRight, isRight])
    if (isRight) continue
    const name = mistakeSchema.parse(mistake)
    found.set(name, [...(found.get(name) ?? []), file])
    planted.set(dirname(file), [...(planted.get(dirname(file)) ?? []), file])
  }
  expect([...found.values()]).toEqual([...planted.values()])
})
