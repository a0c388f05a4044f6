import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { ProblemFormInput } from '#contract/problems'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageSkeleton } from '../../components/page-skeleton.tsx'
import { Page } from '../../components/page.tsx'
import { ForbiddenPage } from '../../layout/forbidden-page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { isNotFound } from '../../lib/api-error.ts'
import { etagOf } from '../../lib/api.ts'
import { useCourseCrumbs } from '../../lib/course-crumbs.ts'
import { useCourse } from '../../lib/course.ts'
import { useOpenedEtag } from '../../lib/opened-etag.ts'
import { useNavigateFromHere } from '../../lib/navigate-from-here.ts'
import { paths } from '../../paths.ts'
import { managedProblemPath, managedProblemQuery, saveProblem } from './api.ts'
import { toValues } from './form-values.ts'
import { ProblemForm } from './problem-form.tsx'

/** `/course/{name}/problem/{id}/edit`. */
export function EditProblemPage() {
  const { t } = useTranslation()
  const problemId = Number(useParams().problemId)
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs('problems')
  const navigate = useNavigateFromHere()
  const client = useQueryClient()
  const mayWrite = may('problem.write')
  const problem = useQuery({
    ...managedProblemQuery(problemId),
    enabled: mayWrite,
    refetchOnWindowFocus: false,
  })
  const etag = useOpenedEtag(problem.isSuccess ? etagOf(managedProblemPath(problemId)) : null)
  const saved = useRef(false)
  if (!mayWrite) return <ForbiddenPage />
  if (isNotFound(problem.error)) return <NotFoundPage />
  if (problem.isPending) return <PageSkeleton />

  async function store(form: ProblemFormInput, overwrite: boolean): Promise<number> {
    // After the first save the tag is our own doing; only the zip is tried again.
    await saveProblem(problemId, form, saved.current || overwrite ? null : etag)
    saved.current = true
    return problemId
  }

  async function finish() {
    await client.invalidateQueries({ queryKey: ['problems', course] })
    await client.invalidateQueries({ queryKey: ['problem', problemId] })
    await navigate(paths.problem(course, problemId))
  }

  return (
    <Page title={t('problems.edit', { id: problemId })} crumbs={crumbs}>
      {problem.isError ? (
        <ErrorBox error={problem.error} onRetry={() => void problem.refetch()} />
      ) : (
        <ProblemForm
          problemId={problemId}
          initial={toValues(problem.data)}
          hasTestData={problem.data.hasTestData}
          cancelTo={paths.problem(course, problemId)}
          store={store}
          onDone={finish}
        />
      )}
    </Page>
  )
}
