/** The views `homework_dates` and `homework_marks` say what `datesOf` and `countedOf` say. */
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countedOf, datesOf, type Dates, type LateRule } from '#contract/homework-dates'
import { dates, lateRules, overrides, submissionLists } from '../../support/random-dates.ts'
import { isJudged } from '../../support/dates-examples.ts'
import { viewed, type DatedHomework } from '../support/dated-homeworks.ts'

const counts = fc.constantFrom('best', 'last')

/** Submissions, each with its problem, and the boundary at which it comes instead of its own time, if there are so many. */
const handIns = submissionLists.chain((list) =>
  fc.tuple(
    ...list.map((each) =>
      fc.record({
        each: fc.constant(each),
        problem: fc.nat(1),
        boundary: fc.nat(11),
        after: fc.nat(1),
      }),
    ),
  ),
)

/** The last seconds before something changes: opening, grace, closing, and what the rule leaves. */
function boundariesOf({ opens, due, closes, graceMinutes }: Dates, rule: LateRule): number[] {
  const units = rule.kind === 'units' ? [1, 2, 3].map((each) => each * rule.unitMinutes * 60) : []
  const steps = rule.kind === 'steps' ? rule.steps.map((each) => each.afterHours * 3_600) : []
  return [opens - 1, due + graceMinutes * 60, closes, ...[...units, ...steps].map((at) => due + at)]
}

/** A homework with two students, who hand in for two problems. */
const homeworks = fc
  .record({
    rules: fc.record({ lateRule: lateRules, counts: fc.option(counts), courseCounts: counts }),
    dates,
    forAll: fc.option(overrides),
    people: fc.array(fc.record({ override: fc.option(overrides), handedIn: handIns }), {
      minLength: 2,
      maxLength: 2,
    }),
  })
  .map(({ rules, dates: own, forAll, people }): DatedHomework => ({
    homework: { ...own, ...rules },
    forAll,
    people: people.map(({ override, handedIn }) => {
      const boundaries = boundariesOf(datesOf(own, forAll, override), rules.lateRule)
      const submissions = handedIn.map(({ each, problem, boundary, after }) => {
        const at = boundaries[boundary]
        return { ...each, problem, at: at === undefined ? each.at : at + after }
      })
      return { override, submissions }
    }),
  }))

/** What the functions say about the people of a homework, as `viewed` gives it. */
function computed({ homework, forAll, people }: DatedHomework) {
  const rules = { ...homework, counts: homework.counts ?? homework.courseCounts }
  return people.map(({ override, submissions }) => {
    const own = datesOf(homework, forAll, override)
    const values = [0, 1].map((problem) => {
      const handedIn = submissions.filter((each) => each.problem === problem && isJudged(each))
      return countedOf(handedIn, own, rules)?.value ?? null
    })
    return { dates: own, values }
  })
}

test('views and functions agree about random homeworks', async () => {
  const list = fc.sample(homeworks, 400)
  const seen = await viewed(list)
  const all = list.map((homework, index) => ({
    homework,
    viewed: seen[index],
    computed: computed(homework),
  }))
  // Each kind of value must be there, else the comparison says little.
  const values = all.flatMap((each) => each.computed.flatMap((own) => own.values))
  expect(values).toContain(null)
  expect(new Set(values).size).toBeGreaterThan(100)
  const different = all.find((each) => !isDeepStrictEqual(each.viewed, each.computed))
  expect(different?.viewed, JSON.stringify(different?.homework)).toEqual(different?.computed)
})
