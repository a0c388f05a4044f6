/** The element id of a source line, counted from 1. */
export function lineId(line: number): string {
  return `line-${line}`
}
