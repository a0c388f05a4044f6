/** Whether a text may hold math; only then KaTeX is loaded. */
export function mayHoldMath(text: string): boolean {
  return /\$|\\[([]/.test(text)
}
