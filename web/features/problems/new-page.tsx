import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCreated, type ProblemFormInput } from '#contract/problems'
import { call } from '../../lib/api/call.ts'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { paths } from '../../paths.ts'
import { saveProblem } from './api.ts'
import { emptyProblem } from './edit/form-values.ts'
import { ProblemForm } from './edit/problem-form.tsx'

/** `/course/{name}/problem/new`. */
export function NewProblemPage() {
  const { t } = useTranslation()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('problems')
  const navigate = useNavigateFromHere()
  // Set once the problem is stored but its zip is not, because the next save must not create a second problem.
  const created = useRef<number>(null)

  async function store(form: ProblemFormInput): Promise<number> {
    if (created.current !== null) await saveProblem(created.current, form, null)
    else {
      const body = { ...form, course }
      const { problemId } = await call('POST /problem/manage', { body, as: problemCreated })
      created.current = problemId
    }
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
