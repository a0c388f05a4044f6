/** What the command palette offers. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMatch } from 'react-router'
import type { CourseDetail } from '#contract/courses'
import { can } from '#contract/roles'
import { MOST_FOUND, type Found } from '#contract/search'
import { courseQuery, standingIn } from '../lib/queries/course.ts'
import { coursesQuery } from '../lib/queries/courses.ts'
import { courseProblemsQuery } from '../lib/queries/problems.ts'
import { searchQuery } from '../lib/queries/search.ts'
import { useSession } from '../lib/session/session.ts'
import { paths } from '../paths.ts'
import { courseEntries, mainEntries } from './nav-entries.ts'

const GROUPS = ['here', 'problems', 'homeworks', 'people', 'courses', 'pages'] as const

export interface PaletteEntry {
  group: (typeof GROUPS)[number]
  label: string
  /** A text beside the label; a search finds it, too. */
  detail?: string
  /** The course of the entry. A search also matches the course's name, but this name alone does not find the entry. */
  course?: string
  to: string
}

/** The pages on which staff create things, with the right for each. */
const NEW_PAGES = [
  ['newProblem', 'problem.write'],
  ['newHomework', 'homework.write'],
  ['newAnnouncement', 'announcement.write'],
] as const

/** The pause in typing before a search, in ms. */
const PAUSE_MS = 150

/**
 * Finds the entries that contain all words of a text in any order, each page once. In each group, entries whose number
 * or username is one of the words come first.
 */
export function findEntries(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/)
  const pages = new Set<string>()
  const found = entries.filter(({ label, detail = '', course = '', to }) => {
    const content = `${label} ${detail}`.toLowerCase()
    const withCourse = `${content} ${course.toLowerCase()}`
    const isMeant =
      words.some((word) => content.includes(word)) &&
      words.every((word) => withCourse.includes(word))
    if (!isMeant || pages.has(to)) return false
    pages.add(to)
    return true
  })
  const isExact = ({ detail = '' }: PaletteEntry) => words.includes(detail.toLowerCase())
  const exactFirst = [...found.filter(isExact), ...found.filter((entry) => !isExact(entry))]
  return GROUPS.flatMap((group) =>
    exactFirst.filter((entry) => entry.group === group).slice(0, MOST_FOUND),
  )
}

/** The people of a course, for staff. */
export function peopleOf({
  course,
  role,
  teacher,
  TAs,
  students,
}: Pick<CourseDetail, 'course' | 'role' | 'teacher' | 'TAs' | 'students'>): PaletteEntry[] {
  if (!can(role, 'submission.readAll')) return []
  return [teacher, ...TAs, ...students].map(({ username, displayedName }) => ({
    group: 'people',
    label: displayedName || username,
    detail: username,
    to: paths.submissions(course, { username }),
  }))
}

/** The entries for the results of a search in all courses. */
export function entriesOf({ problems, homeworks, people }: Found): PaletteEntry[] {
  return [
    ...problems.map(({ problemId, problemName, course }) => ({
      group: 'problems' as const,
      label: problemName,
      detail: `#${problemId}`,
      course,
      to: paths.problem(course, problemId),
    })),
    ...homeworks.map(({ id, name, course }) => ({
      group: 'homeworks' as const,
      label: name,
      course,
      to: `${paths.homeworks(course)}#homework-${id}`,
    })),
    ...people.map(({ username, displayedName, course }) => ({
      group: 'people' as const,
      label: displayedName || username,
      detail: username,
      course,
      to: paths.submissions(course, { username }),
    })),
  ]
}

interface Search {
  /** Whether more results may come. */
  isSearching: boolean
  /** Whether the search in all courses has failed. */
  hasFailed: boolean
}

/** The entries that a search of the signed-in person's courses finds for a text. */
function useFound(text: string): Search & { found: PaletteEntry[] } {
  const session = useSession()
  const typed = text.trim()
  const [wanted] = useDebouncedValue(typed, PAUSE_MS)
  const isAsked = session.state === 1 && wanted !== ''
  const { data, isFetching, isError } = useQuery({
    ...searchQuery(wanted),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  return {
    found: isAsked && data ? entriesOf(data) : [],
    isSearching: isFetching || typed !== wanted,
    hasFailed: isError,
  }
}

/** Every entry that needs no search, for the signed-in person at the open page. */
export function usePaletteEntries(): PaletteEntry[] {
  const { t } = useTranslation()
  const session = useSession()
  const course = useMatch('/course/:name/*')?.params.name
  const isSignedIn = session.state === 1
  const inCourse = isSignedIn && course !== undefined
  const courses = useQuery({ ...coursesQuery, enabled: isSignedIn })
  const open = useQuery({ ...courseQuery(course ?? ''), enabled: inCourse })
  const problems = useQuery({ ...courseProblemsQuery(course ?? ''), enabled: inCourse })

  const entries: PaletteEntry[] = []
  if (inCourse) {
    for (const { key, to } of courseEntries(course, open.data?.role))
      entries.push({ group: 'here', label: t(`nav.${key}`), detail: course, to })
    for (const { problemId, problemName } of problems.data ?? []) {
      const detail = `#${problemId}`
      entries.push({
        group: 'problems',
        label: problemName,
        detail,
        to: paths.problem(course, problemId),
      })
      if (open.data && can(standingIn(open.data), 'submission.create'))
        entries.push({
          group: 'problems',
          label: t('palette.submit', { problem: problemName }),
          detail,
          to: paths.submit(course, problemId),
        })
    }
  }
  if (open.data) {
    entries.push(...peopleOf(open.data))
    for (const [page, right] of NEW_PAGES)
      if (can(open.data.role, right))
        entries.push({
          group: 'here',
          label: t(`palette.${page}`),
          to: paths[page](open.data.course),
        })
  }
  for (const item of courses.data ?? [])
    entries.push({
      group: 'courses',
      label: item.course,
      detail: item.teacher.displayedName || item.teacher.username,
      to: paths.course(item.course),
    })
  for (const { key, to } of mainEntries(session))
    entries.push({ group: 'pages', label: t(`nav.${key}`), to })
  entries.push(
    { group: 'pages', label: t('nav.settings'), to: paths.settings() },
    { group: 'pages', label: t('nav.help'), to: paths.help('students-guide') },
  )
  return entries
}

/** The entries for what was typed. */
export function usePaletteSearch(text: string): Search & { entries: PaletteEntry[] } {
  const { found, ...search } = useFound(text)
  return { entries: findEntries([...usePaletteEntries(), ...found], text), ...search }
}
