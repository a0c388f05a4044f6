/** The name that a course which comes back is offered. */

/** The last year of a name, and the year or its last two digits behind it, as in `2025-26`. */
const LAST_YEAR =
  /(?<!\d)((?:19|20)\d\d)(?:([-._ ])(\d{4}|\d\d))?(?!\d)(?!.*(?<!\d)(?:19|20)\d\d(?!\d))/

/** Proposes a name for next year's course: the year raised, or a number behind a name without one. */
export function nextName(name: string): string {
  if (LAST_YEAR.test(name))
    return name.replace(LAST_YEAR, (all, year: string, between = '', second = '') => {
      const next = String(Number(year) + 1)
      const isPair = second !== '' && next.endsWith(second)
      if (isPair) return `${next}${between}${String(Number(year) + 2).slice(-second.length)}`
      return all.replace(year, next)
    })
  const [, base = name, number = '1'] = /^(.*) (\d{1,2})$/.exec(name) ?? []
  return `${base} ${Number(number) + 1}`
}
