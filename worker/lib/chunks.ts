/** Splits long lists. */

/** The parts of a list, in order, each of at most `size` items; none of an empty list. */
export function chunksOf<Item>(list: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}
