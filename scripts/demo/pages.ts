/**
 * Every page of the app as it stands in the demo course, and who may see it. The browser tests walk along this table and
 * fail for a route of `web/router.tsx` that is missing here; the screenshots are taken along it.
 */
import type { DemoIds } from './fill.ts'

export const VIEWERS = ['guest', 'student', 'ta', 'teacher', 'admin'] as const
/** A demo login, or nobody. */
export type Viewer = (typeof VIEWERS)[number]

export interface DemoPage {
  /** As `web/router.tsx` has it, from the root on. */
  route: string
  /** Name of its pictures. */
  name: string
  path: (ids: DemoIds) => string
  /** Who may see it. Other people read the page that says so; guests are asked to sign in. */
  viewers: readonly Viewer[]
  /** Its first heading in English. */
  heading: string | RegExp
}

/** The first heading of what stands there for people who may not see a page. */
export const REFUSAL_HEADING = /^(Page not found|Not for this account)$/

const everyone = VIEWERS
const signedIn = VIEWERS.filter((viewer) => viewer !== 'guest')
const staff = ['ta', 'teacher', 'admin'] as const
const teachers = ['teacher', 'admin'] as const
const admins = ['admin'] as const

type Row = readonly [
  route: string,
  name: string,
  path: DemoPage['path'],
  viewers: readonly Viewer[],
  heading: string | RegExp,
]

/** A page inside the course. */
function inCourse(
  route: string,
  name: string,
  rest: (ids: DemoIds) => string,
  viewers: readonly Viewer[],
  heading: string | RegExp,
): Row {
  return [`/course/:name${route}`, name, (ids) => `/course/Demo${rest(ids)}`, viewers, heading]
}

const ROWS: readonly Row[] = [
  ['/', 'home', () => '/', everyone, 'Home'],
  ['/about', 'about', () => '/about', everyone, /^About /],
  ['/settings', 'settings', () => '/settings', everyone, 'Settings'],
  [
    '/announcements/:annId',
    'system-announcement',
    ({ systemAnnouncement }) => `/announcements/${systemAnnouncement}`,
    everyone,
    'Welcome',
  ],
  ['/*', 'not-found', () => '/nowhere', signedIn, 'Page not found'],
  ['/courses', 'courses', () => '/courses', signedIn, 'Courses'],
  ['/courses/new', 'course-new', () => '/courses/new', teachers, 'New course'],
  ['/profile', 'profile', () => '/profile', signedIn, 'Profile'],
  ['/password_reset', 'password-reset', () => '/password_reset', everyone, 'Reset your password'],
  // Leads to the page that was open last.
  ['/admin', 'admin', () => '/admin', admins, /^(Dashboard|People|Audit log)$/],
  ['/admin/dashboard', 'dashboard', () => '/admin/dashboard', admins, 'Dashboard'],
  ['/admin/user', 'users', () => '/admin/user', admins, 'People'],
  ['/admin/audit', 'audit', () => '/admin/audit', admins, 'Audit log'],
  inCourse('', 'course', () => '', signedIn, 'Announcements'),
  inCourse('/announcements', 'announcements', () => '/announcements', signedIn, 'Announcements'),
  inCourse(
    '/announcements/new',
    'announcement-new',
    () => '/announcements/new',
    staff,
    'New announcement',
  ),
  inCourse(
    '/announcements/:annId',
    'announcement',
    ({ announcement }) => `/announcements/${announcement}`,
    signedIn,
    'How this course works',
  ),
  inCourse(
    '/announcements/:annId/edit',
    'announcement-edit',
    ({ announcement }) => `/announcements/${announcement}/edit`,
    staff,
    'Edit announcement',
  ),
  inCourse('/homeworks', 'homeworks', () => '/homeworks', signedIn, 'Homeworks'),
  inCourse('/homeworks/new', 'homework-new', () => '/homeworks/new', staff, 'New homework'),
  inCourse(
    '/homeworks/:homeworkId/edit',
    'homework-edit',
    ({ homework }) => `/homeworks/${homework}/edit`,
    staff,
    'Edit homework',
  ),
  inCourse(
    '/homeworks/:homeworkId/stats',
    'homework-stats',
    ({ homework }) => `/homeworks/${homework}/stats`,
    staff,
    /^Scoreboard of /,
  ),
  inCourse('/members', 'members', () => '/members', signedIn, 'Members'),
  inCourse('/problems', 'problems', () => '/problems', signedIn, 'Problems'),
  inCourse('/problem/new', 'problem-new', () => '/problem/new', staff, 'New problem'),
  inCourse('/problem/:problemId', 'problem', () => '/problem/2', signedIn, /^#2 /),
  inCourse(
    '/problem/:problemId/edit',
    'problem-edit',
    () => '/problem/1/edit',
    staff,
    'Edit problem #1',
  ),
  inCourse(
    '/problem/:problemId/stats',
    'problem-stats',
    () => '/problem/1/stats',
    signedIn,
    /^Statistics of #1 /,
  ),
  inCourse('/problem/:problemId/submit', 'submit', () => '/problem/1/submit', signedIn, /^Submit/),
  inCourse(
    '/problem/:problemId/copycat',
    'copycat',
    ({ copiedProblem }) => `/problem/${copiedProblem}/copycat`,
    staff,
    /^Copy detection for #/,
  ),
  inCourse('/submissions', 'submissions', () => '/submissions', signedIn, 'Submissions'),
  inCourse(
    '/submission/:submissionId',
    'submission',
    ({ submission }) => `/submission/${submission}`,
    signedIn,
    /^Submission /,
  ),
]

/** One row per route. */
export const DEMO_PAGES: readonly DemoPage[] = ROWS.map(
  ([route, name, path, viewers, heading]) => ({
    route,
    name,
    path,
    viewers,
    heading,
  }),
)
