/**
 * Every page of the app in the demo course, made from `web/pages.ts`. The browser tests visit the pages of this table,
 * and screenshots are taken of them.
 */
import { can } from '#contract/roles'
import { PAGES, type PageName, type PageRow } from '../../web/pages.ts'
import type { DemoIds } from './fill.ts'

export const VIEWERS = ['guest', 'student', 'ta', 'teacher', 'admin'] as const
/** A demo login, or nobody. */
export type Viewer = (typeof VIEWERS)[number]

export interface DemoPage {
  /** The route in `web/router.tsx`, from the root on. */
  route: string
  /** The name of the page's pictures. */
  name: string
  path: (ids: DemoIds) => string
  /** Who may see the page. Other people see a refusal; guests are asked to sign in. */
  viewers: readonly Viewer[]
  /** The page's first heading in English. */
  heading: string | RegExp
}

const REFUSALS = '(Page not found|This account has no access)$'
/** The first heading of the refusal that people see who may not see a page. */
export const REFUSAL_HEADING = new RegExp(`^${REFUSALS}`)
const OTHER_HEADING = new RegExp(`^(?!${REFUSALS}).`)

const signedIn = VIEWERS.filter((viewer) => viewer !== 'guest')

/** Headings that identify a page. A page that is not listed here shows any heading but a refusal's. */
const HEADINGS: Record<string, string | RegExp> = {
  home: 'Home',
  about: /^About /,
  help: "Student's guide",
  settings: 'Settings',
  systemAnnouncement: 'Welcome',
  passwordReset: 'Reset your password',
  join: 'Join a course',
  unsubscribe: 'Stop the mails',
  courses: 'Courses',
  newCourse: 'New course',
  notices: 'Notices',
  profile: 'Profile',
  dashboard: 'Dashboard',
  users: 'People',
  audit: 'Audit log',
  setup: 'Set-up',
  announcements: 'Announcements',
  newAnnouncement: 'New announcement',
  announcement: 'How this course works',
  editAnnouncement: 'Edit announcement',
  homeworks: 'Homeworks',
  newHomework: 'New homework',
  editHomework: 'Edit homework',
  homeworkStats: /^Scoreboard of /,
  homeworkDates: /^Dates of /,
  homeworkMistakes: /^Same mistakes/,
  lateDays: 'Late days',
  gradebook: 'Gradebook',
  gradebookSettings: 'Columns and total',
  gradebookFiles: 'Files of other systems',
  marks: 'My marks',
  studentMarks: /^Marks of /,
  members: 'Members',
  courseSettings: 'Course settings',
  copyCourse: 'Bring the course back',
  problems: 'Problems',
  newProblem: 'New problem',
  problem: /^#2 /,
  editProblem: 'Edit problem #1',
  problemStats: /^Statistics of #1 /,
  submit: /^Submit/,
  problemMistakes: /^Same mistakes/,
  copycat: /^Copy detection for #/,
  questions: 'Questions',
  question: /^Question about #1 /,
  submissions: 'Submissions',
  submission: / · \d+(st|nd|rd|th) try$/,
} satisfies Partial<Record<PageName, string | RegExp>>

/** Who may see pages that themselves refuse everybody else, as if they did not exist. */
const OWN_VIEWERS: Record<string, readonly Viewer[]> = {
  newCourse: ['teacher', 'admin'],
  copycat: ['ta', 'teacher', 'admin'],
}

function viewersOf(name: string, [route, , right = 'course.read']: PageRow): readonly Viewer[] {
  if (right === 'guest') return VIEWERS
  if (route.startsWith('/admin/')) return ['admin']
  return OWN_VIEWERS[name] ?? signedIn.filter((viewer) => can(viewer, right))
}

/** The values for the parts of a page's address in the demo course. */
function valuesOf(name: string, ids: DemoIds): Record<string, string | number> {
  return {
    name: 'Demo',
    guide: 'students-guide',
    annId: name === 'systemAnnouncement' ? ids.systemAnnouncement : ids.announcement,
    homeworkId: ids.homework,
    problemId: { problem: 2, copycat: ids.copiedProblem, problemMistakes: 3 }[name] ?? 1,
    submissionId: ids.submission,
    questionId: ids.question,
    username: 'student',
  }
}

function toDemoPage([name, row]: [string, PageRow]): DemoPage {
  const [route] = row
  return {
    route,
    name: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    path(ids) {
      const values = valuesOf(name, ids)
      return route.replaceAll(/:(\w+)/g, (_, param: string) => String(values[param]))
    },
    viewers: viewersOf(name, row),
    heading: HEADINGS[name] ?? OTHER_HEADING,
  }
}

/** One row per route: the pages, and routes that lead to a page. */
export const DEMO_PAGES: readonly DemoPage[] = [
  ...Object.entries<PageRow>(PAGES).map(toDemoPage),
  {
    route: '/*',
    name: 'not-found',
    path: () => '/nowhere',
    viewers: signedIn,
    heading: 'Page not found',
  },
  {
    // This route leads to the page that was open last.
    route: '/admin',
    name: 'admin',
    path: () => '/admin',
    viewers: ['admin'],
    heading: /^(Dashboard|People|Audit log|Set-up)$/,
  },
  {
    route: '/course/:name',
    name: 'course',
    path: () => '/course/Demo',
    viewers: signedIn,
    heading: 'Announcements',
  },
]
