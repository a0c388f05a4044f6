/** How benchmarks calculate and print: medians, ratios, one line per bound. */

/** The value below which the given share of all values lies. */
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
    this.#line(value <= most, what, `${value.toFixed(2)} (at most ${most})`, detail)
  }

  /** A bound: `value` must be at least `least`. */
  least(what: string, value: number, least: number, detail = ''): void {
    this.#line(value >= least, what, `${value.toFixed(2)} (at least ${least})`, detail)
  }

  /** A bound: `ownMs` may be at most `most` times `baseMs`. */
  ratio(what: string, ownMs: number, baseMs: number, most: number, detail = ''): void {
    const times = `${ownMs.toFixed(1)} ÷ ${baseMs.toFixed(1)} ms`
    this.bound(what, ownMs / baseMs, most, times + (detail && `, ${detail}`))
  }

  /** A figure without a bound. */
  note(what: string, text: string): void {
    console.log(`      ${what.padEnd(64)} ${text}`)
  }

  #line(isGood: boolean, what: string, numbers: string, detail: string): void {
    if (!isGood) this.#holds = false
    console.log(
      `${isGood ? 'PASS' : 'FAIL'}  ${what.padEnd(64)} ${numbers}${detail && `  ${detail}`}`,
    )
  }
}

/** Milliseconds that something takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
