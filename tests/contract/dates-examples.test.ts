/** The worked examples of `tests/fixtures/dates` by the function. */
import { expect, test } from 'vitest'
import { countedOf, datesOf } from '#contract/homework-dates'
import { DATES_EXAMPLES, isJudged, markOf } from '../support/dates-examples.ts'

test('there are examples', () => {
  expect(DATES_EXAMPLES.length).toBeGreaterThan(100)
})

test.each(DATES_EXAMPLES)('$title', (example) => {
  const { homework, forAll, person, mark } = example
  const dates = datesOf(homework, forAll, person)
  const submissions = example.submissions.filter(isJudged)
  for (const order of [submissions, submissions.toReversed()]) {
    const counted = countedOf(order, dates, homework)
    expect(markOf(example, counted?.value ?? null, dates.excused)).toBe(mark)
  }
})
