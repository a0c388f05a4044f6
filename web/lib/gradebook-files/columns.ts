/** Which column of the gradebook belongs to which column of a file. */
import type { GradebookColumn } from '#contract/gradebook'
import type { MarkColumn } from './systems.ts'

/** The gradebook's column (by id) of each column of a file that has one. */
export type ColumnPairs = ReadonlyMap<number, number>

function fold(title: string): string {
  return title.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

function indexesByTitle(titles: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [index, title] of titles.entries())
    found.set(fold(title), [...(found.get(fold(title)) ?? []), index])
  return found
}

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
  const ours = indexesByTitle(fillable.map(({ name }) => name))
  const theirs = indexesByTitle(marks.map(({ title }) => title))
  const pairs = new Map<number, number>()
  for (const { column, head, title } of marks) {
    const found = ours.get(fold(head)) ?? ours.get(fold(title)) ?? []
    const isOne = found.length === 1 && theirs.get(fold(title))?.length === 1
    const named = isOne ? (fillable[found[0] ?? -1]?.id ?? null) : null
    const id = kept.has(head) ? kept.get(head) : named
    if (columns.some((each) => each.id === id) && typeof id === 'number') pairs.set(column, id)
  }
  return pairs
}
