/** The worked examples of `tests/fixtures/dates` by the views of the database. */
import { expect, test } from 'vitest'
import { DATES_EXAMPLES, markOf } from '../../support/dates-examples.ts'
import { viewed } from '../support/dated-homeworks.ts'

test('the views give every example its mark', async () => {
  const seen = await viewed(
    DATES_EXAMPLES.map(({ homework, forAll, person, submissions }) => ({
      homework: { ...homework, courseCounts: homework.counts === 'best' ? 'last' : 'best' },
      forAll,
      people: [
        { override: person, submissions: submissions.map((each) => ({ ...each, problem: 0 })) },
      ],
    })),
  )
  const marks = DATES_EXAMPLES.map((example, index) => {
    const [own] = seen[index] ?? []
    return [example.title, own && markOf(example, own.values[0] ?? null, own.dates.excused)]
  })
  expect(marks).toEqual(DATES_EXAMPLES.map(({ title, mark }) => [title, mark]))
})
