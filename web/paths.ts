/** Every address of the app as a function. */

function coursePath(course: string, rest = ''): string {
  return `/course/${encodeURIComponent(course)}${rest}`
}

/** A query of the submission list. */
interface SubmissionFilter {
  problemId?: number
  username?: string
  status?: number
}

function submissionsPath(course: string, filter: SubmissionFilter = {}): string {
  const query = new URLSearchParams()
  if (filter.problemId !== undefined) query.set('problemId', String(filter.problemId))
  if (filter.username !== undefined) query.set('username', filter.username)
  if (filter.status !== undefined) query.set('status', String(filter.status))
  const text = query.toString()
  return coursePath(course, `/submissions${text === '' ? '' : `?${text}`}`)
}

export const paths = {
  home: () => '/',
  courses: () => '/courses',
  newCourse: () => '/courses/new',
  settings: () => '/settings',
  profile: () => '/profile',
  passwordReset: () => '/password_reset',
  admin: () => '/admin',
  dashboard: () => '/admin/dashboard',
  users: () => '/admin/user',
  audit: () => '/admin/audit',
  about: () => '/about',
  systemAnnouncement: (annId: string) => `/announcements/${annId}`,
  course: (course: string) => coursePath(course),
  members: (course: string) => coursePath(course, '/members'),
  announcements: (course: string) => coursePath(course, '/announcements'),
  newAnnouncement: (course: string) => coursePath(course, '/announcements/new'),
  announcement: (course: string, annId: string) => coursePath(course, `/announcements/${annId}`),
  editAnnouncement: (course: string, annId: string) =>
    coursePath(course, `/announcements/${annId}/edit`),
  homeworks: (course: string) => coursePath(course, '/homeworks'),
  newHomework: (course: string) => coursePath(course, '/homeworks/new'),
  editHomework: (course: string, homeworkId: string) =>
    coursePath(course, `/homeworks/${homeworkId}/edit`),
  homeworkStats: (course: string, homeworkId: string) =>
    coursePath(course, `/homeworks/${homeworkId}/stats`),
  problems: (course: string) => coursePath(course, '/problems'),
  newProblem: (course: string) => coursePath(course, '/problem/new'),
  problem: (course: string, problemId: number) => coursePath(course, `/problem/${problemId}`),
  editProblem: (course: string, problemId: number) =>
    coursePath(course, `/problem/${problemId}/edit`),
  problemStats: (course: string, problemId: number) =>
    coursePath(course, `/problem/${problemId}/stats`),
  submit: (course: string, problemId: number) => coursePath(course, `/problem/${problemId}/submit`),
  copycat: (course: string, problemId: number) =>
    coursePath(course, `/problem/${problemId}/copycat`),
  submissions: submissionsPath,
  submission: (course: string, submissionId: string) =>
    coursePath(course, `/submission/${submissionId}`),
} as const
