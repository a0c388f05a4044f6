/** Every page of the app. Addresses, routes and the table of the browser tests are made from this table. */
import { can, type Capability } from '#contract/roles'

/**
 * name: [address, file below `features`, who may open it]. Who may open the page is `guest` for everybody, or a right
 * in the course; if it is left out, everybody who is signed in may open it. The file exports its page and nothing else.
 */
export const PAGES = {
  home: ['/', 'home/home-page', 'guest'],
  about: ['/about', 'about/about-page', 'guest'],
  help: ['/help/:guide', 'help/help-page', 'guest'],
  settings: ['/settings', 'settings/settings-page', 'guest'],
  systemAnnouncement: ['/announcements/:annId', 'announcements/announcement-page', 'guest'],
  passwordReset: ['/password_reset', 'password-reset/password-reset-page', 'guest'],
  join: ['/join', 'join/join-page', 'guest'],
  unsubscribe: ['/unsubscribe', 'notices/unsubscribe-page', 'guest'],
  courses: ['/courses', 'courses/list-page'],
  newCourse: ['/courses/new', 'courses/new-page'],
  notices: ['/notices', 'notices/notices-page'],
  profile: ['/profile', 'profile/profile-page'],
  dashboard: ['/admin/dashboard', 'admin/dashboard-page'],
  users: ['/admin/user', 'users/users-page'],
  audit: ['/admin/audit', 'audit/audit-page'],
  setup: ['/admin/setup', 'setup/setup-page'],
  announcements: ['/course/:name/announcements', 'announcements/course-list-page'],
  newAnnouncement: [
    '/course/:name/announcements/new',
    'announcements/new-page',
    'announcement.write',
  ],
  announcement: ['/course/:name/announcements/:annId', 'announcements/announcement-page'],
  editAnnouncement: [
    '/course/:name/announcements/:annId/edit',
    'announcements/edit-page',
    'announcement.write',
  ],
  homeworks: ['/course/:name/homeworks', 'homeworks/list-page'],
  newHomework: ['/course/:name/homeworks/new', 'homeworks/new-page', 'homework.write'],
  editHomework: [
    '/course/:name/homeworks/:homeworkId/edit',
    'homeworks/edit-page',
    'homework.write',
  ],
  homeworkDates: [
    '/course/:name/homeworks/:homeworkId/dates',
    'homeworks/dates-page',
    'homework.write',
  ],
  homeworkStats: ['/course/:name/homeworks/:homeworkId/stats', 'homeworks/stats-page'],
  homeworkMistakes: [
    '/course/:name/homeworks/:homeworkId/mistakes',
    'mistakes/homework-page',
    'submission.readAll',
  ],
  gradebook: ['/course/:name/gradebook', 'gradebook/gradebook-page', 'gradebook.read'],
  gradebookSettings: [
    '/course/:name/gradebook/settings',
    'gradebook/settings-page',
    'gradebook.manage',
  ],
  gradebookFiles: ['/course/:name/gradebook/files', 'gradebook/files-page', 'gradebook.read'],
  marks: ['/course/:name/marks', 'marks/marks-page'],
  studentMarks: ['/course/:name/marks/:username', 'marks/student-page', 'gradebook.read'],
  lateDays: ['/course/:name/late-days', 'late-days/late-days-page'],
  members: ['/course/:name/members', 'courses/members-page'],
  courseSettings: ['/course/:name/settings', 'courses/settings-page', 'course.manage'],
  copyCourse: ['/course/:name/copy', 'course-copy/copy-page', 'course.manage'],
  problems: ['/course/:name/problems', 'problems/list-page'],
  newProblem: ['/course/:name/problem/new', 'problems/new-page', 'problem.write'],
  problem: ['/course/:name/problem/:problemId', 'problems/problem-page'],
  editProblem: ['/course/:name/problem/:problemId/edit', 'problems/edit-page', 'problem.write'],
  problemStats: ['/course/:name/problem/:problemId/stats', 'problems/stats-page'],
  submit: ['/course/:name/problem/:problemId/submit', 'submit/submit-page', 'submission.create'],
  problemMistakes: [
    '/course/:name/problem/:problemId/mistakes',
    'mistakes/problem-page',
    'submission.readAll',
  ],
  copycat: ['/course/:name/problem/:problemId/copycat', 'copycat/copycat-page'],
  questions: ['/course/:name/questions', 'questions/list-page'],
  question: ['/course/:name/question/:questionId', 'questions/question-page'],
  submissions: ['/course/:name/submissions', 'submissions/list-page'],
  submission: ['/course/:name/submission/:submissionId', 'submissions/submission-page'],
} as const satisfies Record<string, PageRow>

export type PageRow = readonly [route: string, file: string, right?: 'guest' | Capability]
export type PageName = keyof typeof PAGES

/** Whether only staff open a page: its address is an admin's, or students of the course may not do what it is for. */
export function isForStaff([route, , right = 'guest']: PageRow): boolean {
  return route.startsWith('/admin/') || (right !== 'guest' && !can('student', right))
}
