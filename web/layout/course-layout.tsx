import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useLocation, useMatches, useParams } from 'react-router'
import type { CourseDetail } from '#contract/courses'
import { can, type Capability } from '#contract/roles'
import { CountBadge } from '../components/display/count-badge.tsx'
import { ErrorBox } from '../components/feedback/error-box.tsx'
import { PageSkeleton } from '../components/feedback/page-skeleton.tsx'
import { Page } from '../components/page/page.tsx'
import { isNotFound } from '../lib/api/api-error.ts'
import { courseQuery, standingIn } from '../lib/queries/course.ts'
import { DESKTOP_BREAKPOINT_PX } from './app-layout.tsx'
import classes from './course-layout.module.css'
import { CourseNews } from './course-news.tsx'
import { ForbiddenPage } from './forbidden-page.tsx'
import { courseEntries, isActive } from './nav-entries.ts'
import { NotFoundPage } from './not-found-page.tsx'

/** Scrolls the active tab into view on narrow screens. Wide screens have no tabs, and measuring would cost a second layout. */
function showTab(tab: HTMLElement | null): void {
  if (matchMedia(`(min-width: ${DESKTOP_BREAKPOINT_PX}px)`).matches) return
  if (tab?.parentElement) tab.parentElement.scrollLeft = tab.offsetLeft - 48
}

/** The open page, if the user has the right that `web/pages.ts` asks for. */
function OpenPage({ course }: { course: CourseDetail }) {
  const right = useMatches().at(-1)?.handle as Capability | undefined
  if (right !== undefined && !can(standingIn(course), right)) return <ForbiddenPage />
  return <Outlet context={course} />
}

/** Says above each page of a closed course what one can do there. */
function ClosedNote({ course: { closedAt, role } }: { course: CourseDetail }) {
  const { t } = useTranslation()
  if (closedAt === null) return null
  return (
    <p className={classes.closed}>
      {t(can(role, 'scoreboard.appear') ? 'courses.closedToRead' : 'courses.closedForStudents')}
    </p>
  )
}

/** Loads the course for the pages inside it, and shows the second level as tabs on narrow screens. */
export function CourseLayout() {
  const { t } = useTranslation()
  const { name = '' } = useParams()
  const { pathname } = useLocation()
  const course = useQuery(courseQuery(name))
  if (isNotFound(course.error)) return <NotFoundPage />
  return (
    <>
      <nav className={classes.tabs} aria-label={t('nav.inCourse', { course: name })}>
        {courseEntries(name, course.data?.role).map((entry) => {
          const active = isActive(entry, pathname)
          return (
            <Link
              key={entry.key}
              ref={active ? showTab : undefined}
              to={entry.to}
              className={classes.tab}
              data-active={active || undefined}
              aria-current={active ? 'page' : undefined}
            >
              {t(`nav.${entry.key}`)}
              {entry.key === 'questions' && course.data ? (
                <CountBadge count={course.data.waitingQuestions} />
              ) : null}
            </Link>
          )
        })}
      </nav>
      <CourseNews course={name} />
      {course.isLoadingError ? (
        <Page title={name}>
          <ErrorBox of={course} />
        </Page>
      ) : null}
      {course.isPending ? <PageSkeleton /> : null}
      {course.data ? (
        <>
          <ClosedNote course={course.data} />
          <OpenPage course={course.data} />
        </>
      ) : null}
    </>
  )
}
