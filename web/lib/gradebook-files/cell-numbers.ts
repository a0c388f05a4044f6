/** Numbers in the cells of a gradebook's file, in whole hundredths. */

export type DecimalSign = '.' | ','

const NUMBER = /^-?\d+(?:[.,]\d+)?$/

/** A mark that stands for none in the files of several systems. */
export const isBlank = (value: string): boolean => /^\s*-?\s*$/.test(value)

/**
 * The number of a cell in hundredths, with a point or a comma as the decimal sign.
 * @returns not a number for other texts; a fraction if the number has more than two decimals
 */
export function readHundredths(value: string): number {
  const text = value.trim()
  if (!NUMBER.test(text)) return Number.NaN
  const [whole = '', decimals = ''] = text.split(/[.,]/)
  const digits = decimals.replace(/0+$/, '').padEnd(2, '0')
  const rest = digits.slice(2)
  const hundredths = Number(`${whole}${digits.slice(0, 2)}`)
  return rest === '' ? hundredths : Number(`${hundredths}.${rest}`)
}

/** A number with at most two decimals, as the file writes numbers. */
export function writeHundredths(hundredths: number, sign: DecimalSign): string {
  const decimals = String(hundredths % 100)
    .padStart(2, '0')
    .replace(/0+$/, '')
  const whole = String(Math.trunc(hundredths / 100))
  return decimals === '' ? whole : `${whole}${sign}${decimals}`
}

/** The decimal sign of a file. A point if nothing tells: every system reads it. */
export function decimalSignOf(values: Iterable<string>): DecimalSign {
  let commas = 0
  for (const value of values)
    if (NUMBER.test(value.trim())) commas += value.includes(',') ? 1 : value.includes('.') ? -1 : 0
  return commas > 0 ? ',' : '.'
}
