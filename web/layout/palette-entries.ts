/** What the command palette offers. */
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMatch } from 'react-router'
import type { CourseDetail } from '#contract/courses'
import { can } from '#contract/roles'
import { courseQuery } from '../lib/queries/course.ts'
import { coursesQuery } from '../lib/queries/courses.ts'
import { courseProblemsQuery } from '../lib/queries/problems.ts'
import { useSession } from '../lib/session/session.ts'
import { paths } from '../paths.ts'
import { courseEntries, mainEntries } from './nav-entries.ts'

const GROUPS = ['here', 'problems', 'people', 'courses', 'pages'] as const

export interface PaletteEntry {
  group: (typeof GROUPS)[number]
  label: string
  /** Shown beside the label, and found too. */
  detail?: string
  to: string
}

/** What staff begin, and with which right. */
const NEW_PAGES = [
  ['newProblem', 'problem.write'],
  ['newHomework', 'homework.write'],
  ['newAnnouncement', 'announcement.write'],
] as const

/** The most entries of a group that are shown. */
const SHOWN = 8

/** Entries that hold all words of a text, best groups first; words may stand in any order. */
export function findEntries(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/)
  const found = entries.filter(({ label, detail = '' }) => {
    const content = `${label} ${detail}`.toLowerCase()
    return words.every((word) => content.includes(word))
  })
  return GROUPS.flatMap((group) => found.filter((entry) => entry.group === group).slice(0, SHOWN))
}

/** Those that staff look for. */
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

/** Every entry for the signed-in person at the open page. */
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
      entries.push(
        { group: 'problems', label: problemName, detail, to: paths.problem(course, problemId) },
        {
          group: 'problems',
          label: t('palette.submit', { problem: problemName }),
          detail,
          to: paths.submit(course, problemId),
        },
      )
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
