/** Which column of the gradebook belongs to which column of a file. */
import type { GradebookColumn } from '#contract/gradebook'
import { fold } from './fold.ts'
import type { MarkColumn } from './systems.ts'

/** The gradebook's column (by id) of each column of a file that has one. */
export type ColumnPairs = ReadonlyMap<number, number>

/**
 * Pairs columns with one title, if each side has it once; the total only by hand. What was chosen for a head goes before.
 * @param kept the ids of columns by the heads of a file; null: none
 */
export function pairColumns(
  marks: readonly MarkColumn[],
  columns: readonly GradebookColumn[],
  kept: ReadonlyMap<string, number | null>,
): ColumnPairs {
  const fillable = columns.filter(({ kind }) => kind !== 'total')
  const ours = Map.groupBy(fillable, ({ name }) => fold(name))
  const theirs = Map.groupBy(marks, ({ title }) => fold(title))
  const pairs = new Map<number, number>()
  for (const { column, head, title } of marks) {
    const found = ours.get(fold(head)) ?? ours.get(fold(title)) ?? []
    const isOne = found.length === 1 && theirs.get(fold(title))?.length === 1
    const named = isOne ? found[0]?.id : null
    const id = kept.has(head) ? kept.get(head) : named
    if (columns.some((each) => each.id === id) && typeof id === 'number') pairs.set(column, id)
  }
  return pairs
}
