/** Numbers of points as people and files write them, in whole hundredths. */
import { EXCUSED_TEXT } from '#contract/gradebook'

export type DecimalSign = '.' | ','

/** Why a text is no number of points. `decimals`: it has more than two, or its three may be thousands. */
export type NumberFault = 'number' | 'decimals'

const NUMBER = /^\s*([-+−]?)(?=[.,]?\d)(\d*)(?:[.,](\d*))?\s*$/

/** Whether a cell has no mark. Several systems write a hyphen for none. */
export const isBlank = (value: string): boolean => ['', '-'].includes(value.trim())

/** Whether a cell excuses its student. */
export const isExcusedText = (value: string): boolean => value.trim().toUpperCase() === EXCUSED_TEXT

/** Reads a number with a point or a comma as the decimal sign. */
export function readHundredths(value: string): number | NumberFault {
  const [, sign, whole, decimals = ''] = NUMBER.exec(value) ?? []
  if (whole === undefined) return 'number'
  // “1,000” is one point to some people and a thousand to others.
  if (decimals.length === 3 || !/^0*$/.test(decimals.slice(2))) return 'decimals'
  const hundredths = Number(whole + decimals.padEnd(2, '0').slice(0, 2))
  return sign === '' || sign === '+' || hundredths === 0 ? hundredths : -hundredths
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
    if (typeof readHundredths(value) === 'number')
      commas += Number(value.includes(',')) - Number(value.includes('.'))
  return commas > 0 ? ',' : '.'
}
