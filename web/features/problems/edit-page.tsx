import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { ProblemFormInput } from '#contract/problems'
import { addressOfCall } from '../../lib/api/call.ts'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { useOpenedEtag } from '../../lib/api/opened-etag.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { paths } from '../../paths.ts'
import { managedProblemQuery, saveProblem } from './api.ts'
import { toValues } from './edit/form-values.ts'
import { ProblemForm } from './edit/problem-form.tsx'

/** `/course/{name}/problem/{id}/edit`. */
export function EditProblemPage() {
  const { t } = useTranslation()
  const problemId = Number(useParams().problemId)
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('problems')
  const navigate = useNavigateFromHere()
  const problem = useQuery({
    ...managedProblemQuery(problemId),
    refetchOnWindowFocus: false,
  })
  const etag = useOpenedEtag(
    problem,
    addressOfCall('GET /problem/manage/:id', { params: { id: problemId } }),
  )
  const saved = useRef(false)

  async function store(form: ProblemFormInput, overwrite: boolean): Promise<number> {
    // After the first save, the stored version is the one of this form. Later saves only try the zip again, so they
    // need no ETag.
    await saveProblem(problemId, form, saved.current || overwrite ? null : etag)
    saved.current = true
    return problemId
  }

  async function finish() {
    await refresh(['problems', course], ['problem', problemId])
    await navigate(paths.problem(course, problemId))
  }

  return (
    <LoadedPage query={problem} title={t('problems.edit', { id: problemId })} crumbs={crumbs}>
      {(opened) => (
        <Page title={t('problems.edit', { id: problemId })} crumbs={crumbs}>
          <ProblemForm
            problemId={problemId}
            initial={toValues(opened)}
            hasTestData={opened.hasTestData}
            files={opened.files}
            cancelTo={paths.problem(course, problemId)}
            store={store}
            onDone={finish}
          />
        </Page>
      )}
    </LoadedPage>
  )
}
