import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { CompareNote } from '../../components/compare-note.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageSkeleton } from '../../components/page-skeleton.tsx'
import { Page } from '../../components/page.tsx'
import { Statement } from '../../components/statement.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { isNotFound } from '../../lib/api-error.ts'
import { useCourseCrumbs } from '../../lib/course-crumbs.ts'
import { useCourse } from '../../lib/course.ts'
import { problemQuery } from '../../lib/problems.ts'
import { useSession } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { SubmitForm } from './submit-form.tsx'
import classes from './submit-page.module.css'

/** `/course/{name}/problem/{id}/submit`: the statement beside the editor where there is room. */
export function SubmitPage() {
  const { t } = useTranslation()
  const problemId = Number(useParams().problemId)
  const { course } = useCourse()
  const { user } = useSession()
  const listCrumbs = useCourseCrumbs('problems')
  const problem = useQuery(problemQuery(problemId))
  if (isNotFound(problem.error) || !Number.isInteger(problemId)) return <NotFoundPage />
  if (problem.isPending || user === null) return <PageSkeleton />
  if (problem.isError)
    return (
      <Page title={t('submit.title')} crumbs={listCrumbs}>
        <ErrorBox error={problem.error} onRetry={() => void problem.refetch()} />
      </Page>
    )
  if (problem.data.course !== course) return <NotFoundPage />
  const name = `#${problemId} ${problem.data.problemName}`
  return (
    <Page
      title={t('submit.title')}
      heading={t('submit.heading', { name })}
      crumbs={[...listCrumbs, { label: name, to: paths.problem(course, problemId) }]}
    >
      <div className={classes.columns}>
        <div className={classes.form}>
          {problem.data.hasTestData ? null : (
            <p className={classes.noTestData}>{t('problem.noTestData')}</p>
          )}
          <SubmitForm
            key={`${problemId}:${user.username}`}
            problem={problem.data}
            username={user.username}
          />
        </div>
        <aside className={`app-card ${classes.statement}`} aria-label={t('submit.statement')}>
          <Statement
            description={problem.data.description}
            name={`${problemId} ${problem.data.problemName}`}
          />
          <CompareNote compare={problem.data.compare} />
        </aside>
      </div>
    </Page>
  )
}
