import { expect, test } from 'vitest'
import { CALLS } from '#contract/calls'
import { courseEdit, newCourse, RESERVED_COURSE_NAMES } from '#contract/courses'
import { DEMO_PAGES } from '../../scripts/demo/pages.ts'

/**
 * The fixed words in addresses at the place where another address, equal up to there, has a course's name.
 * @param paths patterns of a router, as `/course/:name/ann`
 */
function wordsBesideNames(paths: readonly string[]): string[] {
  const split = paths.map((path) => path.split('/'))
  const named = split.flatMap((parts) => {
    const at = parts.indexOf(':name')
    return at === -1 ? [] : [{ before: parts.slice(0, at).join('/'), at }]
  })
  const words = split.flatMap((parts) =>
    named.flatMap(({ before, at }) => {
      const word = parts[at]
      const isBeside = parts.slice(0, at).join('/') === before
      return isBeside && word !== undefined && !/^[:*]/.test(word) ? [word.toLowerCase()] : []
    }),
  )
  return [...new Set(words)]
}

const API_PATHS = CALLS.map(({ route }) => route.split(' ')[1] ?? '')
const PAGES = DEMO_PAGES.map(({ route }) => route)

test('a word that stands where a course’s name may stand in an address is no course name', () => {
  expect(wordsBesideNames(API_PATHS)).toContain('summary')
  expect(wordsBesideNames([...PAGES, '/course/New'])).toContain('new')
  const words = [...wordsBesideNames(API_PATHS), ...wordsBesideNames(PAGES)]
  expect(words.filter((word) => !RESERVED_COURSE_NAMES.has(word))).toEqual([])
})

test('reserved names are refused in any case when a course is made or renamed, and nothing else is', () => {
  for (const name of [...RESERVED_COURSE_NAMES, 'Summary', 'SUMMARY']) {
    expect(newCourse.safeParse({ course: name, teacher: 't' }).success, name).toBe(false)
    expect(courseEdit.safeParse({ course: 'C', newCourse: name }).success, name).toBe(false)
    expect(courseEdit.safeParse({ course: name, newCourse: 'Better' }).success, name).toBe(true)
  }
  for (const name of ['...', '.hidden', 'Summary 2', 'summaries', '数.学'])
    expect(newCourse.safeParse({ course: name, teacher: 't' }).success, name).toBe(true)
})
