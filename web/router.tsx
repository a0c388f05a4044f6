/** The route table. Pages and layouts are loaded when they are opened. */
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { AppLayout } from './layout/app-layout.tsx'
import { NotFoundPage } from './layout/not-found-page.tsx'
import { RouteError } from './layout/route-error.tsx'
import { PageSkeleton } from './components/page-skeleton.tsx'
import { beginCourseReads } from './lib/begin-reads.ts'

const courseRoutes: RouteObject[] = [
  { index: true, element: <Navigate to="announcements" replace /> },
  {
    path: 'announcements',
    lazy: async () => ({
      Component: (await import('./features/announcements/course-list-page.tsx')).CourseListPage,
    }),
  },
  {
    path: 'announcements/new',
    lazy: async () => ({
      Component: (await import('./features/announcements/new-page.tsx')).NewAnnouncementPage,
    }),
  },
  {
    path: 'announcements/:annId',
    lazy: async () => ({
      Component: (await import('./features/announcements/announcement-page.tsx'))
        .CourseAnnouncementPage,
    }),
  },
  {
    path: 'announcements/:annId/edit',
    lazy: async () => ({
      Component: (await import('./features/announcements/edit-page.tsx')).EditAnnouncementPage,
    }),
  },
  {
    path: 'homeworks',
    lazy: async () => ({
      Component: (await import('./features/homeworks/list-page.tsx')).HomeworksPage,
    }),
  },
  {
    path: 'homeworks/new',
    lazy: async () => ({
      Component: (await import('./features/homeworks/new-page.tsx')).NewHomeworkPage,
    }),
  },
  {
    path: 'homeworks/:homeworkId/edit',
    lazy: async () => ({
      Component: (await import('./features/homeworks/edit-page.tsx')).EditHomeworkPage,
    }),
  },
  {
    path: 'homeworks/:homeworkId/stats',
    lazy: async () => ({
      Component: (await import('./features/homeworks/stats-page.tsx')).HomeworkStatsPage,
    }),
  },
  {
    path: 'members',
    lazy: async () => ({
      Component: (await import('./features/courses/members-page.tsx')).MembersPage,
    }),
  },
  {
    path: 'problems',
    lazy: async () => ({
      Component: (await import('./features/problems/list-page.tsx')).ProblemsPage,
    }),
  },
  {
    path: 'problem/new',
    lazy: async () => ({
      Component: (await import('./features/problems/new-page.tsx')).NewProblemPage,
    }),
  },
  {
    path: 'problem/:problemId',
    lazy: async () => ({
      Component: (await import('./features/problems/problem-page.tsx')).ProblemPage,
    }),
  },
  {
    path: 'problem/:problemId/edit',
    lazy: async () => ({
      Component: (await import('./features/problems/edit-page.tsx')).EditProblemPage,
    }),
  },
  {
    path: 'problem/:problemId/stats',
    lazy: async () => ({
      Component: (await import('./features/problems/stats-page.tsx')).ProblemStatsPage,
    }),
  },
  {
    path: 'problem/:problemId/copycat',
    lazy: async () => ({
      Component: (await import('./features/copycat/copycat-page.tsx')).CopycatPage,
    }),
  },
  {
    path: 'problem/:problemId/submit',
    lazy: async () => ({
      Component: (await import('./features/submit/submit-page.tsx')).SubmitPage,
    }),
  },
  {
    path: 'submissions',
    lazy: async () => ({
      Component: (await import('./features/submissions/list-page.tsx')).SubmissionsPage,
    }),
  },
  {
    path: 'submission/:submissionId',
    lazy: async () => ({
      Component: (await import('./features/submissions/submission-page.tsx')).SubmissionPage,
    }),
  },
]

const adminRoutes: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('./layout/admin-layout.tsx')).AdminStart }),
  },
  {
    path: 'dashboard',
    lazy: async () => ({
      Component: (await import('./features/admin/dashboard-page.tsx')).DashboardPage,
    }),
  },
  {
    path: 'user',
    lazy: async () => ({ Component: (await import('./features/users/users-page.tsx')).UsersPage }),
  },
  {
    path: 'audit',
    lazy: async () => ({ Component: (await import('./features/audit/audit-page.tsx')).AuditPage }),
  },
]

/** All routes; pages of a course are children of its layout. */
export const routes: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('./features/home/home-page.tsx')).HomePage }),
  },
  {
    path: 'announcements/:annId',
    lazy: async () => ({
      Component: (await import('./features/announcements/announcement-page.tsx'))
        .SystemAnnouncementPage,
    }),
  },
  {
    path: 'courses',
    lazy: async () => ({
      Component: (await import('./features/courses/list-page.tsx')).CoursesPage,
    }),
  },
  {
    path: 'courses/new',
    lazy: async () => ({
      Component: (await import('./features/courses/new-page.tsx')).NewCoursePage,
    }),
  },
  {
    path: 'settings',
    lazy: async () => ({
      Component: (await import('./features/settings/settings-page.tsx')).SettingsPage,
    }),
  },
  {
    path: 'about',
    lazy: async () => ({ Component: (await import('./features/about/about-page.tsx')).AboutPage }),
  },
  {
    path: 'profile',
    lazy: async () => ({
      Component: (await import('./features/profile/profile-page.tsx')).ProfilePage,
    }),
  },
  {
    path: 'password_reset',
    lazy: async () => ({
      Component: (await import('./features/password-reset/password-reset-page.tsx'))
        .PasswordResetPage,
    }),
  },
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
