/** What students get for problems and homeworks: what counts by their dates, kept marks, and points that staff gave. */
import { countedOf, pointsFor, type Counts, type Dates } from '#contract/homework-dates'
import type { GivenPoints } from '#contract/homework-overrides'
import type { ProblemProgress } from '#contract/homeworks'
import { STATUS } from '#contract/verdicts'
import type { Attempts, homeworks } from '../../db/schema.ts'
import { toGivenPoints } from '../../db/given-points.ts'
import { DatesReader, type LabelledRow, type OverrideRow } from './own-dates.ts'
import type { selectMarks } from './reading-queries.ts'

type RowsOf<Index extends 2 | 3> = Awaited<ReturnType<typeof selectMarks>[Index]>

/** A homework with what decides about its marks. */
export type MarkedHomework = Pick<
  typeof homeworks.$inferSelect,
  'id' | 'startAt' | 'endAt' | 'closeAt' | 'graceMinutes' | 'lateRule' | 'counts'
> & { courseCounts: Counts }

/** A problem of a homework, with what it is worth. */
export interface MarkedProblem {
  problemId: number
  points: number
}

type Mark = Pick<ProblemProgress, 'counted' | 'mark' | 'kept' | 'given'>

/** A mark with the points that the rule gives, also where staff gave others. */
interface ComputedMark extends Mark {
  computed: number | null
}

const keyOf = (homeworkId: string, userId: number, problemId: number | null) =>
  `${homeworkId} ${userId} ${problemId}`

/** The submissions that can count: judged, and not ended by a Judge Error. */
export function toScored(attempts: Attempts) {
  return Object.entries(attempts)
    .filter(([, [, status]]) => status >= 0 && status !== STATUS.JE)
    .map(([id, [at, , score]]) => ({ id, at, score }))
}

/** Everybody's dates and marks in the homeworks that were read. */
export class MarksReader {
  readonly dates: DatesReader
  /** The people and problems with kept marks or given points; `problemId` null: the homework as a whole. */
  readonly rows: { homeworkId: string; userId: number; problemId: number | null }[]
  readonly #kept: Map<string, number>
  readonly #given: Map<string, GivenPoints>

  constructor(
    overrides: readonly OverrideRow[],
    labelled: readonly LabelledRow[],
    kept: Readonly<RowsOf<2>>,
    given: Readonly<RowsOf<3>>,
  ) {
    this.dates = new DatesReader(overrides, labelled)
    this.rows = [...kept, ...given]
    this.#kept = new Map(
      kept.map((row) => [keyOf(row.homeworkId, row.userId, row.problemId), row.value]),
    )
    this.#given = new Map(
      given.map((row) => [keyOf(row.homeworkId, row.userId, row.problemId), toGivenPoints(row)]),
    )
  }

  /** The points that staff gave a person; `problemId` null: for the homework as a whole. */
  givenTo(homeworkId: string, userId: number, problemId: number | null): GivenPoints | null {
    return this.#given.get(keyOf(homeworkId, userId, problemId)) ?? null
  }

  /** A person's mark of a problem. @param dates of the person in the homework */
  markOf(...asked: Parameters<MarksReader['deriveMark']>): Mark {
    const { computed: _, ...mark } = this.deriveMark(...asked)
    return mark
  }

  /** The same, with what the rule gives. */
  deriveMark(
    { id, lateRule, counts, courseCounts }: MarkedHomework,
    { problemId, points }: MarkedProblem,
    userId: number,
    dates: Dates,
    attempts: Attempts,
  ): ComputedMark {
    const given = this.givenTo(id, userId, problemId)
    if (dates.excused) return { counted: null, mark: null, kept: false, given, computed: null }
    const rules = { lateRule, counts: counts ?? courseCounts }
    const best = countedOf(toScored(attempts), dates, rules)
    const kept = this.#kept.get(keyOf(id, userId, problemId)) ?? -1
    const value = Math.max(best?.value ?? -1, kept)
    const computed = value < 0 ? null : pointsFor(value, points)
    const isKept = given === null && kept > (best?.value ?? -1)
    return {
      counted: isKept ? null : (best?.id ?? null),
      mark: given?.points ?? computed,
      kept: isKept,
      given,
      computed,
    }
  }
}
