/** How benchmarks count and print: medians, ratios, one line per bound. */

/** The value below which a share of all values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Collects the lines of one benchmark. */
export class Report {
  #holds = true

  get holds(): boolean {
    return this.#holds
  }

  /** A bound: `value` may be at most `most`. */
  bound(what: string, value: number, most: number, detail = ''): void {
    const isGood = value <= most
    if (!isGood) this.#holds = false
    const numbers = `${value.toFixed(2)} (at most ${most})`
    console.log(
      `${isGood ? 'PASS' : 'FAIL'}  ${what.padEnd(64)} ${numbers}${detail && `  ${detail}`}`,
    )
  }

  /** A figure without a bound. */
  note(what: string, text: string): void {
    console.log(`      ${what.padEnd(64)} ${text}`)
  }
}

/** Milliseconds that something takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
