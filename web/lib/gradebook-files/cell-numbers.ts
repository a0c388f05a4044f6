/** Numbers in the cells of a gradebook's file, in whole hundredths. */

export type DecimalSign = '.' | ','

const NUMBER = /^\s*(-?\d+)(?:([.,])(\d+))?\s*$/

/** Whether a cell has no mark. Several systems write a hyphen for none. */
export const isBlank = (value: string): boolean => ['', '-'].includes(value.trim())

/**
 * The number of a cell in hundredths, with a point or a comma as the decimal sign.
 * @returns not a number for other texts; a fraction if the number has more than two decimals
 */
export function readHundredths(value: string): number {
  const [, whole, , decimals = ''] = NUMBER.exec(value) ?? []
  if (whole === undefined) return Number.NaN
  const digits = decimals.padEnd(2, '0')
  return Number(`${whole}${digits.slice(0, 2)}.${digits.slice(2)}`)
}

/** A number with at most two decimals, as the file writes numbers. */
export function writeHundredths(hundredths: number, sign: DecimalSign): string {
  const text = String(hundredths / 100)
  return sign === '.' ? text : text.replace('.', sign)
}

/** The decimal sign of a file. A point if nothing tells: every system reads it. */
export function decimalSignOf(values: Iterable<string>): DecimalSign {
  let commas = 0
  for (const value of values)
    if (NUMBER.test(value)) commas += Number(value.includes(',')) - Number(value.includes('.'))
  return commas > 0 ? ',' : '.'
}
