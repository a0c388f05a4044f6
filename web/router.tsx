/** The route table. Pages and layouts are loaded when they are opened. */
import type { ComponentType } from 'react'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { AppLayout } from './layout/app-layout.tsx'
import { NotFoundPage } from './layout/not-found-page.tsx'
import { RouteError } from './layout/route-error.tsx'
import { PageSkeleton } from './components/page-skeleton.tsx'
import { beginCourseReads } from './lib/begin-reads.ts'

/** A page at a path; its code is loaded when it is opened. */
function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  return { path, lazy: async () => ({ Component: await load() }) }
}

const courseRoutes: RouteObject[] = [
  { index: true, element: <Navigate to="announcements" replace /> },
  page(
    'announcements',
    async () => (await import('./features/announcements/course-list-page.tsx')).CourseListPage,
  ),
  page(
    'announcements/new',
    async () => (await import('./features/announcements/new-page.tsx')).NewAnnouncementPage,
  ),
  page(
    'announcements/:annId',
    async () =>
      (await import('./features/announcements/announcement-page.tsx')).CourseAnnouncementPage,
  ),
  page(
    'announcements/:annId/edit',
    async () => (await import('./features/announcements/edit-page.tsx')).EditAnnouncementPage,
  ),
  page('homeworks', async () => (await import('./features/homeworks/list-page.tsx')).HomeworksPage),
  page(
    'homeworks/new',
    async () => (await import('./features/homeworks/new-page.tsx')).NewHomeworkPage,
  ),
  page(
    'homeworks/:homeworkId/edit',
    async () => (await import('./features/homeworks/edit-page.tsx')).EditHomeworkPage,
  ),
  page(
    'homeworks/:homeworkId/stats',
    async () => (await import('./features/homeworks/stats-page.tsx')).HomeworkStatsPage,
  ),
  page('members', async () => (await import('./features/courses/members-page.tsx')).MembersPage),
  page('problems', async () => (await import('./features/problems/list-page.tsx')).ProblemsPage),
  page(
    'problem/new',
    async () => (await import('./features/problems/new-page.tsx')).NewProblemPage,
  ),
  page(
    'problem/:problemId',
    async () => (await import('./features/problems/problem-page.tsx')).ProblemPage,
  ),
  page(
    'problem/:problemId/edit',
    async () => (await import('./features/problems/edit-page.tsx')).EditProblemPage,
  ),
  page(
    'problem/:problemId/stats',
    async () => (await import('./features/problems/stats-page.tsx')).ProblemStatsPage,
  ),
  page(
    'problem/:problemId/copycat',
    async () => (await import('./features/copycat/copycat-page.tsx')).CopycatPage,
  ),
  page(
    'problem/:problemId/submit',
    async () => (await import('./features/submit/submit-page.tsx')).SubmitPage,
  ),
  page(
    'submissions',
    async () => (await import('./features/submissions/list-page.tsx')).SubmissionsPage,
  ),
  page(
    'submission/:submissionId',
    async () => (await import('./features/submissions/submission-page.tsx')).SubmissionPage,
  ),
]

const adminRoutes: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('./layout/admin-layout.tsx')).AdminStart }),
  },
  page(
    'dashboard',
    async () => (await import('./features/admin/dashboard-page.tsx')).DashboardPage,
  ),
  page('user', async () => (await import('./features/users/users-page.tsx')).UsersPage),
  page('audit', async () => (await import('./features/audit/audit-page.tsx')).AuditPage),
]

/** All routes; pages of a course are children of its layout. */
export const routes: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('./features/home/home-page.tsx')).HomePage }),
  },
  page(
    'announcements/:annId',
    async () =>
      (await import('./features/announcements/announcement-page.tsx')).SystemAnnouncementPage,
  ),
  page('courses', async () => (await import('./features/courses/list-page.tsx')).CoursesPage),
  page('courses/new', async () => (await import('./features/courses/new-page.tsx')).NewCoursePage),
  page(
    'settings',
    async () => (await import('./features/settings/settings-page.tsx')).SettingsPage,
  ),
  page('about', async () => (await import('./features/about/about-page.tsx')).AboutPage),
  page('profile', async () => (await import('./features/profile/profile-page.tsx')).ProfilePage),
  page(
    'password_reset',
    async () =>
      (await import('./features/password-reset/password-reset-page.tsx')).PasswordResetPage,
  ),
  {
    path: 'admin',
    lazy: async () => ({ Component: (await import('./layout/admin-layout.tsx')).AdminLayout }),
    children: adminRoutes,
  },
  {
    path: 'course/:name',
    // Not awaited: the page shows its placeholder meanwhile.
    loader(call) {
      void beginCourseReads(call)
      return null
    },
    lazy: async () => ({
      Component: (await import('./layout/course-layout.tsx')).CourseLayout,
    }),
    children: courseRoutes,
  },
  { path: '*', element: <NotFoundPage /> },
]

/** Makes the app's router. */
export function createAppRouter() {
  return createBrowserRouter([
    {
      element: <AppLayout />,
      ErrorBoundary: RouteError,
      children: [{ HydrateFallback: PageSkeleton, ErrorBoundary: RouteError, children: routes }],
    },
  ])
}
