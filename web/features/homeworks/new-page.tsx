import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HomeworkForm as HomeworkBody } from '#contract/homeworks'
import { call } from '../../lib/api/call.ts'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { paths } from '../../paths.ts'
import { emptyHomework } from './form-values.ts'
import { HomeworkForm } from './homework-form.tsx'

/** `/course/{name}/homeworks/new`. */
export function NewHomeworkPage() {
  const { t } = useTranslation()
  const { course, timeZone } = useCourse()
  const crumbs = useCourseCrumbs('homeworks')
  const navigate = useNavigateFromHere()
  const [initial] = useState(() => emptyHomework(timeZone))

  async function create(homework: HomeworkBody) {
    await call('POST /homework', { body: { ...homework, courseName: course } })
    await refresh(['homeworks', course])
    await navigate(paths.homeworks(course))
  }

  return (
    <Page title={t('homeworks.new')} crumbs={crumbs}>
      <HomeworkForm
        course={course}
        initial={initial}
        cancelTo={paths.homeworks(course)}
        onSave={create}
      />
    </Page>
  )
}
