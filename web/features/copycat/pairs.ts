/** The pairs of a report as the table shows them. */
import type { CopycatPair } from '#contract/copycat'
import type { Sort } from '../../components/lists/sort-header.tsx'

/** The values that the table can be sorted by. */
export const SORT_KEYS = {
  left: 'left',
  right: 'right',
  similarity: 'similarity',
  longest: 'longest',
  overlap: 'overlap',
} as const

function valueOf(pair: CopycatPair, by: string): string | number {
  if (by === SORT_KEYS.left) return pair.left.user.username.toLowerCase()
  if (by === SORT_KEYS.right) return pair.right.user.username.toLowerCase()
  if (by === SORT_KEYS.longest) return pair.longest
  return by === SORT_KEYS.overlap ? pair.overlap : pair.similarity
}

/** Sorted pairs; ties keep their order. */
export function sortPairs(pairs: readonly CopycatPair[], { by, descending }: Sort): CopycatPair[] {
  const direction = descending ? -1 : 1
  return pairs.toSorted((one, other) => {
    const [a, b] = [valueOf(one, by), valueOf(other, by)]
    return a === b ? 0 : (a < b ? -1 : 1) * direction
  })
}

/** The pairs in which a username or display name contains the text. */
export function pairsOf(pairs: readonly CopycatPair[], text: string): CopycatPair[] {
  const wanted = text.trim().toLowerCase()
  return pairs.filter(({ left, right }) =>
    [left, right].some(({ user }) =>
      `${user.username}\n${user.displayedName}`.toLowerCase().includes(wanted),
    ),
  )
}
