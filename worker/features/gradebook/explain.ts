/** Explains marks: from the rows of a gradebook, what each mark of a person was derived from and what it adds to the total. */
import type { ExplainedMark, GradebookMark, PastSetting } from '#contract/gradebook'
import {
  totalMax,
  totalOf,
  type TotalColumn,
  type TotalMark,
  type TotalRule,
} from '#contract/gradebook-total'
import type { MarkDerivation } from '#contract/mark-derivation'
import { markSentences, markSentenceText, type MarkFormat } from '#contract/mark-sentences'
import { formatDuration, formatTime } from '#contract/time-text'
import { toGivenPoints } from '../../db/given-points.ts'
import type { StoredDerivation } from '../../db/schema.ts'
import { toColumn, toTotalRule, type ColumnRow } from './columns-queries.ts'
import type { ExplainedRows, Student } from './explain-queries.ts'

type MarkRow = ExplainedRows[3][number]
type SettingRow = ExplainedRows[5][number]

/** What the reader of explained marks sees. */
export interface Reader {
  /** Whether the reader sees the student's mark in a column. */
  isVisible: (columnId: number) => boolean
  /** Whether the reader sees totals, and what marks add to them. */
  seesTotal: boolean
}

const keyOf = (id: number | string | null, userId: number) => `${id} ${userId}`

/** Row → contract. */
function toPastSetting({ hundredths, isExcused, reason, by, setAt }: SettingRow): PastSetting {
  return {
    points: hundredths === null ? null : hundredths / 100,
    excused: isExcused,
    reason,
    by,
    at: setAt,
  }
}

/** Row → contract. */
function toDerivation(stored: StoredDerivation): MarkDerivation {
  const { settled: _, ...derivation } = stored
  return derivation
}

/** The gradebook of a course with the marks of those people who were read. */
export class Explainer {
  readonly rule: TotalRule
  /** Hundredths. */
  readonly max: number
  readonly groups: ExplainedRows[1]
  /** In order, without the total. */
  readonly columns: (ColumnRow & TotalColumn)[]
  readonly total: ColumnRow
  readonly #format: MarkFormat
  readonly #problems: Map<number, string>
  readonly #marks: Map<string, MarkRow>
  readonly #given: Map<string, ExplainedRows[4][number][]>
  readonly #settings: Map<string, SettingRow[]>
  readonly #questions: Map<string, string>

  /** @param timeZone IANA name; the sentences' times are those of its clocks */
  constructor(
    [columns, groups, problems, marks, given, settings, questions]: ExplainedRows,
    timeZone: string,
  ) {
    const made = toTotalRule(columns)
    this.total = made.total
    this.columns = made.columns
    this.groups = groups
    this.rule = made.rule
    this.max = totalMax(this.rule, groups, this.columns)
    this.#format = {
      time: (at) => formatTime(at, timeZone),
      duration: (seconds) => formatDuration(seconds, 'en'),
    }
    this.#problems = new Map(problems.map(({ problemId, name }) => [problemId, name]))
    this.#marks = new Map(marks.map((row) => [keyOf(row.columnId, row.userId), row]))
    this.#given = Map.groupBy(given, (row) => keyOf(row.homeworkId, row.userId))
    this.#settings = Map.groupBy(settings, (row) => keyOf(row.columnId, row.userId))
    this.#questions = new Map(questions.map((row) => [keyOf(row.columnId, row.userId), row.id]))
  }

  /** A person's stored mark; undefined: none. */
  markOf(columnId: number, userId: number): MarkRow | undefined {
    return this.#marks.get(keyOf(columnId, userId))
  }

  /** What staff have set in a cell, newest first. */
  historyOf(columnId: number, userId: number): PastSetting[] {
    return (this.#settings.get(keyOf(columnId, userId)) ?? []).map(toPastSetting)
  }

  /** A person's total from those marks that the reader sees; the others count 0, as if there were none yet. */
  #totalFor(userId: number, { isVisible }: Reader) {
    const marks = new Map(
      this.columns.flatMap(({ id }): [number, TotalMark][] => {
        const mark = isVisible(id) ? this.markOf(id, userId) : undefined
        return mark ? [[id, mark]] : []
      }),
    )
    return totalOf(this.rule, this.groups, this.columns, marks)
  }

  /** What the columns and groups that the reader sees add to a person's total. */
  #partsFor(userId: number, reader: Reader): Pick<ExplainedMark, 'parts' | 'groups'> {
    if (!reader.seesTotal) return { parts: [], groups: [] }
    const made = this.#totalFor(userId, reader)
    const columns = new Map(this.columns.map((column) => [column.id, column]))
    const groups = new Map(this.groups.map((group) => [group.id, group]))
    const parts = made.parts.flatMap(({ columnId, fate, share, hundredths }) => {
      const column = columns.get(columnId)
      if (!column || !reader.isVisible(columnId)) return []
      const { groupId, name } = column
      return [{ columnId, groupId, name, fate, share: share / 100, points: hundredths / 100 }]
    })
    const visible = new Set(parts.map(({ groupId }) => groupId))
    return {
      parts,
      groups: made.groups.flatMap(({ groupId, share, sum, hundredths }) => {
        const group = groups.get(groupId)
        if (parts.length === 0 || (group && !visible.has(groupId))) return []
        return [
          {
            groupId,
            name: group?.name ?? null,
            share: share / 100,
            sum: sum / 100,
            points: hundredths / 100,
            capPercent: group?.capPercent ?? 100,
            extra: group?.isExtra ?? false,
          },
        ]
      }),
    }
  }

  /**
   * A person's marks that the reader sees, the total last; a column without a mark has an empty one.
   * @param isPartial see `explainedMark`
   */
  explain({ id: userId, ...user }: Student, reader: Reader, isPartial: boolean): ExplainedMark[] {
    const { parts, groups } = this.#partsFor(userId, reader)
    return [...this.columns, this.total].flatMap((row) => {
      const isTotal = row.kind === 'total'
      if (isTotal ? !reader.seesTotal : !reader.isVisible(row.id)) return []
      const mark = this.markOf(row.id, userId)
      // A stored total would tell of marks that the reader does not see.
      const hundredths = isTotal ? this.#totalFor(userId, reader).hundredths : mark?.hundredths
      const [newest] = this.historyOf(row.id, userId)
      const told = {
        column: toColumn(row, this.max),
        points: hundredths == null ? null : hundredths / 100,
        excused: mark?.isExcused ?? false,
        derivation: mark?.derivation ? toDerivation(mark.derivation) : null,
        problems: (mark?.derivation?.problems ?? []).flatMap(({ problemId }) => {
          const name = this.#problems.get(problemId)
          return name === undefined ? [] : [{ problemId, name }]
        }),
        given: (this.#given.get(keyOf(row.homeworkId, userId)) ?? []).map((given) => ({
          problemId: given.problemId,
          ...toGivenPoints(given),
        })),
        setting: newest && (newest.excused || newest.points !== null) ? newest : null,
        why: mark?.why ?? null,
        part: parts.find(({ columnId }) => columnId === row.id) ?? null,
        parts: isTotal ? parts : [],
        groups: isTotal ? groups : [],
        isPartial: isTotal && isPartial,
      }
      const sentences = markSentences(told).map((each) => markSentenceText(each, this.#format))
      return [
        {
          ...told,
          user,
          sentences,
          questionId: this.#questions.get(keyOf(row.id, userId)) ?? null,
        },
      ]
    })
  }

  /**
   * The most that a person's total can become, in points: all points in columns that are still open or that the reader does not see.
   * @param isOpen whether the person can still get another mark in a column
   */
  reachableFor(userId: number, reader: Reader, isOpen: (column: ColumnRow) => boolean): number {
    const marks = new Map(
      this.columns.map((column): [number, TotalMark] => {
        const mark = reader.isVisible(column.id) ? this.markOf(column.id, userId) : undefined
        const isFull = !reader.isVisible(column.id) || isOpen(column)
        const hundredths = mark?.hundredths ?? 0
        return [
          column.id,
          {
            hundredths: isFull ? Math.max(hundredths, column.max) : hundredths,
            isExcused: mark?.isExcused ?? false,
          },
        ]
      }),
    )
    const { hundredths } = totalOf(this.rule, this.groups, this.columns, marks)
    return (hundredths ?? 0) / 100
  }
}

/** A cell of the gradebook, for staff; null: there is no such column, or the reader may not see it. */
export function explainCell(
  explainer: Explainer,
  student: Student,
  columnId: number,
  seesTotal: boolean,
): Omit<GradebookMark, 'held'> | null {
  const mark = explainer
    .explain(student, { isVisible: () => true, seesTotal }, false)
    .find(({ column }) => column.id === columnId)
  return mark ? { ...mark, history: explainer.historyOf(columnId, student.id) } : null
}
