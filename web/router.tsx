/** The app's routes. Pages and layouts are loaded when they are opened. */
import type { ComponentType } from 'react'
import {
  createBrowserRouter,
  Navigate,
  type LoaderFunctionArgs,
  type RouteObject,
} from 'react-router'
import { AppLayout } from './layout/app-layout.tsx'
import { NotFoundPage } from './layout/not-found-page.tsx'
import { RootError, RouteError } from './layout/route-error.tsx'
import { PageSkeleton } from './components/feedback/page-skeleton.tsx'
import { courseQuery } from './lib/queries/course.ts'
import { problemQuery } from './lib/queries/problems.ts'
import { queryClient } from './lib/api/query-client.ts'
import { sessionQuery } from './lib/session/session.ts'
import { untilOnline } from './lib/api/connection.ts'
import { loadPageTexts, loadStaffTexts } from './lib/format/i18n.ts'
import { isForStaff, PAGES, type PageRow } from './pages.ts'

const files = import.meta.glob<Record<string, ComponentType>>('./features/*/*-page.tsx')

/** Loads code once the server can be reached; meanwhile the open page stays, with what was typed. */
function whenOnline<T>(load: () => Promise<T>) {
  return async () => {
    await untilOnline()
    return load()
  }
}

/** The route of a page; its handle tells `course-layout.tsx` who may open the page. */
function toRoute(row: PageRow): RouteObject {
  const [path, file, right] = row
  const loadTexts = isForStaff(row) ? loadStaffTexts : loadPageTexts
  const load = files[`./features/${file}.tsx`]
  if (!load) throw new Error(`web/pages.ts: there is no web/features/${file}.tsx`)
  return {
    path,
    handle: right,
    lazy: whenOnline(async () => {
      const [page] = await Promise.all([load(), path === PAGES.home[0] ? null : loadTexts()])
      const [Component = null] = Object.values(page)
      return { Component }
    }),
  }
}

/** Starts the reads that every page of a course needs; not for guests, whom the API would refuse. */
async function beginCourseReads({ params }: LoaderFunctionArgs): Promise<void> {
  const { name, problemId } = params
  if (!(await queryClient.ensureQueryData(sessionQuery).catch(() => null))) return
  if (name !== undefined) void queryClient.prefetchQuery(courseQuery(name))
  // Pages about a problem read the problem anyway, so this does not wait for the course.
  if (/^\d+$/.test(problemId ?? '')) void queryClient.prefetchQuery(problemQuery(Number(problemId)))
}

const rows: readonly PageRow[] = Object.values(PAGES)

/** The routes of the pages below an address. */
function pagesIn(layout: string): RouteObject[] {
  return rows.filter(([route]) => route.startsWith(`${layout}/`)).map(toRoute)
}

/** All routes; pages of a course are children of its layout. */
export const routes: RouteObject[] = [
  ...rows.filter(([route]) => !/^\/(admin|course)\//.test(route)).map(toRoute),
  {
    path: '/admin',
    lazy: whenOnline(async () => ({
      Component: (await import('./layout/admin-layout.tsx')).AdminLayout,
    })),
    children: [
      {
        index: true,
        lazy: whenOnline(async () => ({
          Component: (await import('./layout/admin-layout.tsx')).AdminStart,
        })),
      },
      ...pagesIn('/admin'),
    ],
  },
  {
    path: '/course/:name',
    // This is not awaited: the page shows its placeholder meanwhile.
    loader(call) {
      void beginCourseReads(call)
      return null
    },
    lazy: whenOnline(async () => ({
      Component: (await import('./layout/course-layout.tsx')).CourseLayout,
    })),
    children: [
      { index: true, element: <Navigate to="announcements" replace /> },
      ...pagesIn('/course/:name'),
    ],
  },
  { path: '/*', element: <NotFoundPage /> },
]

/** Makes the app's router. */
export function createAppRouter() {
  return createBrowserRouter([
    {
      element: <AppLayout />,
      ErrorBoundary: RootError,
      children: [{ HydrateFallback: PageSkeleton, ErrorBoundary: RouteError, children: routes }],
    },
  ])
}
