import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProblemFormInput } from '#contract/problems'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { paths } from '../../paths.ts'
import { createProblem, saveProblem } from './api.ts'
import { emptyProblem } from './edit/form-values.ts'
import { ProblemForm } from './edit/problem-form.tsx'

/** `/course/{name}/problem/new`. */
export function NewProblemPage() {
  const { t } = useTranslation()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('problems')
  const navigate = useNavigateFromHere()
  // Set once the problem exists but its zip does not: the next save must not create a second one.
  const created = useRef<number>(null)

  async function store(form: ProblemFormInput): Promise<number> {
    if (created.current === null) created.current = (await createProblem(course, form)).problemId
    else await saveProblem(created.current, form, null)
    return created.current
  }

  async function finish(problemId: number) {
    await refresh(['problems', course])
    await navigate(paths.problem(course, problemId))
  }

  return (
    <Page title={t('problems.new')} crumbs={crumbs}>
      <ProblemForm
        problemId={null}
        initial={emptyProblem()}
        hasTestData={false}
        files={[]}
        cancelTo={paths.problems(course)}
        store={store}
        onDone={finish}
      />
    </Page>
  )
}
