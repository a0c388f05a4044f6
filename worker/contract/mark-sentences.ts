/** A mark explained in sentences: to students, to staff, in files and in the API alike. */
import type { ExplainedMark } from '#contract/gradebook'
import { lateStep } from '#contract/homework-dates'
import type { ProblemDerivation } from '#contract/mark-derivation'

/** key → English sentence. The web app's catalogues translate them by the same keys. */
export const MARK_TEXTS = {
  /** How a problem's points came about. */
  tried: '{problem}: try {nth} counts, handed in at {at}.',
  counted: '{problem}: the submission handed in at {at} counts.',
  inTime: 'It came in time with {score} points: {steps} of {max}.',
  lateFree: 'It has {score} points and came {late} late, which costs nothing: {steps} of {max}.',
  lateMultiply: 'It has {score} points and came {late} late: {steps} of {max}.',
  lateSubtract: 'It has {score} points and came {late} late, which takes {off}: {steps} of {max}.',
  lateCap: 'It has {score} points and came {late} late, so at most {left} count: {steps} of {max}.',
  kept: '{problem}: {points} of {max} points stay from before its dates changed, until staff confirm the change.',
  given: '{problem}: staff gave {points} of {max} points, which count.',
  givenBecause: '{problem}: staff gave {points} of {max} points, which count: “{comment}”.',
  none: '{problem}: no submission counts, so it has 0 of {max} points.',
  /** How they become the mark. */
  added: 'Staff added {points} points to the homework.',
  addedBecause: 'Staff added {points} points to the homework: “{comment}”.',
  sum: 'Together that is {points} of {max} points.',
  lateDays: 'Late days used here: {days}.',
  set: 'Staff set {points} of {max} points, which count.',
  setBecause: 'Staff set {points} of {max} points, which count: “{reason}”.',
  excused: 'Staff excused this mark.',
  excusedBecause: 'Staff excused this mark: “{reason}”.',
  nothing: 'Nothing that counts has been handed in yet.',
  unset: 'Staff have not entered a mark yet.',
  /** What the mark adds to the total. */
  counts: 'It adds {points} of {share} points to the total.',
  extra: 'It adds {points} points to the total as extra credit.',
  dropped: 'The total drops it as one of the lowest of its group.',
  leftOut: 'The total leaves it out.',
  /** How the total came about. */
  group: '{group} adds {points} of {share} points.',
  groupExtra: '{group} adds {points} points as extra credit.',
  groupEnough:
    '{group} has {sum} of {share} points and adds {points}: {cap} % of its points are enough.',
  groupCapped: '{group} has {sum} points and adds {points}, the most that it can add.',
  groupDrops: '{group} drops {columns}.',
  groupLeftOut: '{group} does not count, because none of its columns does.',
  columns: 'The columns add {points} of {share} points.',
  columnsCapped: 'The columns have {sum} points, of which at most {points} count.',
  rounded: 'Together that is {sum} points, rounded to {points} of {max}.',
  most: 'Together that is {sum} points, of which at most {max} count.',
  hidden: 'Marks that are not shown yet count 0 here.',
  noTotal: 'No column counts yet.',
} as const
export type MarkTextKey = keyof typeof MARK_TEXTS

/** A sentence before it is written out. Numbers and names are text already; `at` is in epoch seconds, `late` in seconds. */
export interface MarkSentence {
  key: MarkTextKey
  values: { at?: number; late?: number } & Record<string, string | number | undefined>
}

/** How a reader's times look. */
export interface MarkFormat {
  /** @param at epoch seconds */
  time: (at: number) => string
  duration: (seconds: number) => string
}

/** What sentences tell of a mark. */
export type ToldMark = Omit<ExplainedMark, 'user' | 'sentences' | 'questionId'>

/** Hundredths of a point as points, without needless zeros. */
const inPoints = (hundredths: number) => String(hundredths / 100)

const sentence = (key: MarkTextKey, values: MarkSentence['values'] = {}): MarkSentence => ({
  key,
  values,
})

/** A sentence that ends with what staff wrote, if they did. */
function because(
  key: 'given' | 'added' | 'set' | 'excused',
  name: 'comment' | 'reason',
  text: string | undefined,
  values: MarkSentence['values'] = {},
): MarkSentence {
  return text ? sentence(`${key}Because`, { ...values, [name]: text }) : sentence(key, values)
}

/** The score, what the late rule makes of it, and the problem's points, as one calculation. */
function stepsOf({ score, lateSeconds, left, how, points, computed }: ProblemDerivation): string {
  const isLate = lateSeconds > 0 && left < 100
  const step = isLate ? lateStep(score ?? 0, left, how) : String(score ?? 0)
  const worth = points === 10_000 ? '' : ` × ${inPoints(points)} / 100`
  if (!isLate && worth === '') return step
  const whole = isLate && worth !== '' && how !== 'cap' ? `(${step})` : step
  return `${whole}${worth} = ${inPoints(computed ?? 0)}`
}

/** Which submission counts, and what it is worth. */
function submissionSentences(problem: string, derivation: ProblemDerivation): MarkSentence[] {
  const { nth, at, score, lateSeconds, left, how, points } = derivation
  const values = {
    score: String(score ?? 0),
    late: lateSeconds,
    off: String(100 - left),
    left: String(left),
    steps: stepsOf(derivation),
    max: inPoints(points),
  }
  const rules = { multiply: 'lateMultiply', subtract: 'lateSubtract', cap: 'lateCap' } as const
  const late = left === 100 ? 'lateFree' : rules[how]
  return [
    nth === null
      ? sentence('counted', { problem, at: at ?? 0 })
      : sentence('tried', { problem, at: at ?? 0, nth: String(nth) }),
    sentence(lateSeconds > 0 ? late : 'inTime', values),
  ]
}

/** How the points of a problem came about. */
function problemSentences(derivation: ProblemDerivation, mark: ToldMark): MarkSentence[] {
  const { problemId, points, submissionId, computed, isKept, isGiven } = derivation
  const problem =
    mark.problems.find((each) => each.problemId === problemId)?.name ?? `#${problemId}`
  const max = inPoints(points)
  const given = mark.given.find((each) => each.problemId === problemId)
  const told = isKept
    ? [sentence('kept', { problem, points: inPoints(computed ?? 0), max })]
    : submissionId === null
      ? []
      : submissionSentences(problem, derivation)
  if (isGiven) {
    const values = { problem, points: inPoints(derivation.hundredths ?? 0), max }
    return [...told, because('given', 'comment', given?.comment, values)]
  }
  return told.length > 0 ? told : [sentence('none', { problem, max })]
}

/** How the problems of a homework become its mark, before what staff set. */
function homeworkSentences(mark: ToldMark): MarkSentence[] {
  const { problems, added, lateDays } = mark.derivation ?? {
    problems: [],
    added: null,
    lateDays: 0,
  }
  const sum = problems.reduce((all, { hundredths }) => all + (hundredths ?? 0), added ?? 0)
  const comment = mark.given.find(({ problemId }) => problemId === null)?.comment
  const addends = problems.length + (added === null ? 0 : 1)
  return [
    ...problems.flatMap((each) => problemSentences(each, mark)),
    ...(added === null ? [] : [because('added', 'comment', comment, { points: inPoints(added) })]),
    ...(addends > 1
      ? [sentence('sum', { points: inPoints(sum), max: String(mark.column.max) })]
      : []),
    ...(lateDays > 0 ? [sentence('lateDays', { days: String(lateDays) })] : []),
  ]
}

/** How the mark of a homework or of a column that staff fill came about. */
function cellSentences(mark: ToldMark): MarkSentence[] {
  const { column, derivation, excused, points, setting, why } = mark
  if (excused) {
    const reason = derivation?.excusedBy === 'dates' ? why : setting?.reason
    return [because('excused', 'reason', reason ?? undefined)]
  }
  const computed = column.kind === 'homework' ? homeworkSentences(mark) : []
  if (derivation?.isSet) {
    const values = { points: String(points ?? 0), max: String(column.max) }
    return [...computed, because('set', 'reason', setting?.reason, values)]
  }
  if (computed.length > 0) return computed
  return [sentence(column.kind === 'homework' ? 'nothing' : 'unset')]
}

/** What the mark adds to the total; nothing where the reader may not see this. */
function partSentences({ part }: ToldMark): MarkSentence[] {
  if (part === null) return []
  const values = { points: String(part.points), share: String(part.share) }
  if (part.fate === 'excused') return [sentence('leftOut')]
  if (part.fate === 'dropped') return [sentence('dropped')]
  return [sentence(part.fate, values)]
}

/** What a group adds to the total. */
function groupSentences(
  { groupId, name, share, sum, points, capPercent, extra }: ExplainedMark['groups'][number],
  mark: ToldMark,
): MarkSentence[] {
  const values = {
    group: name ?? '',
    share: String(share),
    sum: String(sum),
    points: String(points),
    cap: String(capPercent),
  }
  if (name === null) return [sentence(sum > points ? 'columnsCapped' : 'columns', values)]
  if (share === 0) return [sentence('groupLeftOut', values)]
  const dropped = mark.parts.filter((part) => part.groupId === groupId && part.fate === 'dropped')
  const added =
    capPercent < 100 ? 'groupEnough' : sum > points ? 'groupCapped' : extra ? 'groupExtra' : 'group'
  return [
    ...(dropped.length > 0
      ? [
          sentence('groupDrops', {
            ...values,
            columns: dropped.map((part) => part.name).join(', '),
          }),
        ]
      : []),
    sentence(added, values),
  ]
}

/** How the total came about. */
function totalSentences(mark: ToldMark): MarkSentence[] {
  const { points, column, groups, isPartial } = mark
  if (points === null) return [sentence('noTotal')]
  const inHundredths = groups.reduce((all, group) => all + Math.round(group.points * 100), 0)
  const values = { sum: inPoints(inHundredths), points: String(points), max: String(column.max) }
  const isOver = inHundredths > Math.round(column.max * 100)
  const isRounded = inHundredths !== Math.round(points * 100)
  return [
    ...groups.flatMap((group) => groupSentences(group, mark)),
    sentence(isOver ? 'most' : isRounded ? 'rounded' : 'sum', values),
    ...(isPartial ? [sentence('hidden')] : []),
  ]
}

/** The sentences that explain a mark, in order. */
export function markSentences(mark: ToldMark): MarkSentence[] {
  if (mark.column.kind === 'total') return totalSentences(mark)
  return [...cellSentences(mark), ...partSentences(mark)]
}

/** The values of a sentence as the reader's text, for its blanks. */
export function markTexts({ values }: MarkSentence, format: MarkFormat): Record<string, string> {
  const { at, late, ...others } = values
  return {
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
    ...(at !== undefined && { at: format.time(at) }),
    ...(late !== undefined && { late: format.duration(late) }),
  }
}

/** A sentence in English. */
export function markSentenceText(told: MarkSentence, format: MarkFormat): string {
  const texts = markTexts(told, format)
  return MARK_TEXTS[told.key].replaceAll(/\{(\w+)\}/g, (_, name: string) => texts[name] ?? '')
}
