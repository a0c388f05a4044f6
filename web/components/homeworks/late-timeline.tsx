import { percentLeft } from '#contract/homework-dates'
import { fullUntil, takesLate, type LateTerms } from './late-rule.ts'
import classes from './homework-dates.module.css'

/** The most parts of the late time that are drawn; an ellipsis stands for the rest. */
const MOST_PARTS = 6

/** What late work counts, in per cent, in one part of the late time after the other. */
function latePercents({ own, lateRule }: LateTerms): number[] {
  if (!takesLate(own)) return []
  const first = fullUntil(own) - own.due + 1
  const unitSeconds = lateRule.kind === 'units' ? lateRule.unitMinutes * 60 : 0
  const changes =
    lateRule.kind === 'steps'
      ? lateRule.steps.map(({ afterHours }) => afterHours * 3_600 + 1)
      : Array.from({ length: MOST_PARTS + 1 }, (_, index) => index * unitSeconds + 1)
  const starts = [first, ...changes.filter((at) => at > first && at <= own.closes - own.due)]
  const lefts = starts.map((at) => percentLeft(lateRule, own.latePercent, at).left)
  return lefts.filter((left, index) => left !== lefts[index - 1])
}

/** A picture of what work counts until a homework closes. `LateRuleNote` says the same in words. */
export function LateTimeline({ terms }: { terms: LateTerms }) {
  const percents = latePercents(terms)
  const parts = percents.slice(0, MOST_PARTS).map((percent) => `${percent} %`)
  const late = percents.length > MOST_PARTS ? [...parts, '…'] : parts
  return (
    <div className={classes.timeline} aria-hidden="true">
      <span data-is="full">100 %</span>
      {late.map((text) => (
        <span key={text} data-is="late">
          {text}
        </span>
      ))}
      <span>0 %</span>
    </div>
  )
}
