/** The filters of the submission list in the address. */

const KEYS = ['problemId', 'status', 'languageType', 'username', 'label'] as const
export type FilterKey = (typeof KEYS)[number]

/** Texts from the address; empty if not set. */
export type SubmissionFilter = Record<FilterKey, string>

/** Numbers with their sign; the API refuses anything else. */
const NUMBER = /^-?\d{1,9}$/
const USERNAME = /^[A-Za-z0-9_-]{1,16}$/

/** Reads the filters; one that the API would refuse counts as not set. @param label as `useLabelChoice` reads it */
export function readFilter(query: URLSearchParams, label = ''): SubmissionFilter {
  function valid(key: FilterKey, pattern: RegExp): string {
    const text = query.get(key)?.trim() ?? ''
    return pattern.test(text) ? text : ''
  }
  return {
    problemId: valid('problemId', NUMBER),
    status: valid('status', NUMBER),
    languageType: valid('languageType', NUMBER),
    username: valid('username', USERNAME),
    label,
  }
}

/** Whether any filter is set. */
export function isFiltered(filter: SubmissionFilter): boolean {
  return KEYS.some((key) => filter[key] !== '')
}
