/** The same values in an order of chance. */
export function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, key: Math.random() }))
    .toSorted((left, right) => left.key - right.key)
    .map(({ value }) => value)
}
