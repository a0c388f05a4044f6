/** The values of number inputs. */

/** The value of a number input; '' while it is empty. */
export type NumberField = number | ''

/** What a number input holds; an unfinished number like `-` counts as empty. */
export function toNumberField(value: number | string): NumberField {
  const number = Number(value)
  return value === '' || Number.isNaN(number) ? '' : number
}

/** The number that is sent; an empty input is not a number, which counts as missing. */
export function toNumber(value: NumberField): number {
  return value === '' ? Number.NaN : value
}
