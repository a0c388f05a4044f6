/** The links of the side bar. */
import {
  IconAdjustments,
  IconBell,
  IconBooks,
  IconCalendarDue,
  IconHome,
  IconInfoCircle,
  IconMessages,
  IconPuzzle,
  IconTable,
  IconSend,
  IconShieldCog,
  IconSpeakerphone,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { PUBLIC_COURSE } from '#contract/fields'
import { can, type CourseRole } from '#contract/roles'
import { mayInInstallation, type Session } from '../lib/session/session.ts'
import { paths } from '../paths.ts'

/** The links' icons. The icons only decorate the labels beside them. */
export const NAV_ICONS = {
  home: IconHome,
  courses: IconBooks,
  about: IconInfoCircle,
  admin: IconShieldCog,
  notices: IconBell,
  profile: IconUser,
  announcements: IconSpeakerphone,
  homeworks: IconCalendarDue,
  problems: IconPuzzle,
  submissions: IconSend,
  questions: IconMessages,
  gradebook: IconTable,
  marks: IconTable,
  members: IconUsers,
  courseSettings: IconAdjustments,
} as const

export interface NavEntry {
  key: keyof typeof NAV_ICONS
  to: string
  /** Paths of this entry; the longest match among all entries is active. */
  prefixes: readonly string[]
}

/** The first level. The settings link is separate, because it is an icon only. */
export function mainEntries({ state, user }: Session): NavEntry[] {
  const home: NavEntry = { key: 'home', to: paths.home(), prefixes: ['/announcements'] }
  const about: NavEntry = { key: 'about', to: paths.about(), prefixes: ['/about'] }
  if (state !== 1) return [home, about]
  const admin: NavEntry = { key: 'admin', to: paths.admin(), prefixes: ['/admin'] }
  return [
    home,
    { key: 'courses', to: paths.courses(), prefixes: ['/courses'] },
    about,
    ...(mayInInstallation(user, 'users.manage') ? [admin] : []),
    { key: 'notices', to: paths.notices(), prefixes: [] },
    { key: 'profile', to: paths.profile(), prefixes: ['/profile'] },
  ]
}

/** The second level, inside a course. @param role the user's there; undefined while it is not known */
export function courseEntries(course: string, role: CourseRole | undefined): NavEntry[] {
  const base = paths.course(course)
  const settings: NavEntry = {
    key: 'courseSettings',
    to: paths.courseSettings(course),
    prefixes: [`${base}/settings`],
  }
  const marks: NavEntry = { key: 'marks', to: paths.marks(course), prefixes: [] }
  const gradebook: NavEntry = {
    key: 'gradebook',
    to: paths.gradebook(course),
    prefixes: [`${base}/gradebook`, `${base}/marks`],
  }
  const manages = role !== undefined && can(role, 'course.manage') && course !== PUBLIC_COURSE
  return [
    {
      key: 'announcements',
      to: paths.announcements(course),
      prefixes: [`${base}/announcements`],
    },
    {
      key: 'homeworks',
      to: paths.homeworks(course),
      prefixes: [`${base}/homeworks`, `${base}/late-days`],
    },
    {
      key: 'problems',
      to: paths.problems(course),
      prefixes: [`${base}/problems`, `${base}/problem`],
    },
    {
      key: 'submissions',
      to: paths.submissions(course),
      prefixes: [`${base}/submissions`, `${base}/submission`],
    },
    {
      key: 'questions',
      to: paths.questions(course),
      prefixes: [`${base}/questions`, `${base}/question`],
    },
    ...(role !== undefined && can(role, 'scoreboard.appear') ? [marks] : []),
    ...(role !== undefined && can(role, 'gradebook.read') ? [gradebook] : []),
    { key: 'members', to: paths.members(course), prefixes: [`${base}/members`] },
    ...(manages ? [settings] : []),
  ]
}

/** Whether an entry leads to the current page. */
export function isActive(entry: NavEntry, pathname: string): boolean {
  return (
    pathname === entry.to ||
    entry.prefixes.some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`))
  )
}
