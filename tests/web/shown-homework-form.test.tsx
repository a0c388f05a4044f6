/** The fields of the homework form, and what it says of the filled-in dates. */
import { useForm } from '@mantine/form'
import { expect, it } from 'vitest'
import type { LateRule } from '#contract/homework-dates'
import type { HomeworkForm as HomeworkBody } from '#contract/homeworks'
import { toValues, type HomeworkValues } from '../../web/features/homeworks/form-values.ts'
import { LateFields } from '../../web/features/homeworks/late-fields.tsx'
import { PointsFields } from '../../web/features/homeworks/points-fields.tsx'
import { render, textOf } from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const DAY = 86_400
const END = Date.parse('2026-03-08T23:59:59Z') / 1_000

function Fields({ stored }: { stored: HomeworkBody }) {
  const form = useForm<HomeworkValues>({ initialValues: toValues(stored) })
  return (
    <>
      <PointsFields form={form} names={new Map([['7', '#7 Sum']])} />
      <LateFields form={form} />
    </>
  )
}

function shown(change: Partial<HomeworkBody> = {}, scene: Scene = {}): string {
  const stored: HomeworkBody = {
    name: 'Loops',
    markdown: '',
    start: END - 7 * DAY,
    end: END,
    close: null,
    graceMinutes: 0,
    lateRule: { kind: 'none' },
    counts: null,
    problemIds: [7],
    scoreboardStatus: 1,
    scoreboardNames: false,
    ...change,
  }
  return render(<Fields stored={stored} />, scene)
}

/** Labels of the fields, without what stands in brackets. */
const labelsOf = (markup: string) =>
  [...markup.matchAll(/<label\b[^]*?<\/label>/g)].map(([label]) =>
    textOf(label).replace(/ \([^)]*\)/, ''),
  )
/** The texts of the chosen options. */
const chosenOf = (markup: string) =>
  [...markup.matchAll(/<option[^>]*selected[^>]*>([^<]*)/g)].map(([, text]) => text)
const numbersOf = (markup: string) =>
  [...markup.matchAll(/<input[^>]*NumberInput[^>]*>/g)].map(
    ([input]) => /value="([^"]*)"/.exec(input)?.[1],
  )

it('a homework that takes nothing late has few fields and says so', () => {
  const markup = shown()
  expect(labelsOf(markup)).toEqual([
    'Points of #7 Sum',
    'Late work',
    'What counts',
    'Grace in minutes',
  ])
  expect(chosenOf(markup)).toEqual([
    'Nothing late counts',
    'As the course has it (The best submission)',
  ])
  expect(numbersOf(markup)).toEqual(['100', '0'])
  expect(textOf(markup)).toMatch(/Work counts in full until 2026-03-08 .*Nothing counts after/)
})

it('the course says what counts where the homework does not', () => {
  const course = { counts: 'last' } as const
  expect(chosenOf(shown({}, { course }))).toContain('As the course has it (The last submission)')
  expect(textOf(shown({}, { course }))).toContain('The last submission counts.')
  expect(textOf(shown({ counts: 'best' }, { course }))).toContain('The best submission counts.')
})

it.each<[LateRule, string[], (string | undefined)[]]>([
  [{ kind: 'none' }, [], []],
  [
    {
      kind: 'steps',
      steps: [
        { afterHours: 0, percent: 95 },
        { afterHours: 4, percent: 90 },
      ],
    },
    ['More than', 'Counts', 'More than', 'Counts'],
    ['0', '95', '4', '90'],
  ],
  [
    { kind: 'units', unitMinutes: 720, percent: 5, how: 'cap', floor: 50 },
    ['For each', 'Unit', 'Deduction', 'Deduct from', 'Never less than'],
    ['12', '5', '50'],
  ],
])('an own rule has its fields: %j', (lateRule, labels, numbers) => {
  const markup = shown({ close: END + 2 * DAY, lateRule })
  const own = labelsOf(markup).slice(3, -1)
  expect(own).toEqual(['Closes', 'Deduction', ...labels])
  expect(numbersOf(markup)).toEqual(['100', ...numbers, '0'])
  expect(textOf(markup)).toMatch(/Nothing counts after 2026-03-1\d/)
})
