/** The element id of a source line, counted from 1. */
export function lineId(line: number): string {
  return `line-${line}`
}

/** The line in an address's hash; null if none. */
export function lineOfHash(hash: string): number | null {
  const digits = /^#line-(\d{1,9})$/.exec(hash)?.[1]
  return digits === undefined ? null : Number(digits)
}
