import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page.tsx'
import { ForbiddenPage } from '../../layout/forbidden-page.tsx'
import { useCourseCrumbs } from '../../lib/course-crumbs.ts'
import { useCourse } from '../../lib/course.ts'
import { toLocalInput } from '../../lib/local-time-input.ts'
import { serverNowMs } from '../../lib/server-clock.ts'
import { useNavigateFromHere } from '../../lib/navigate-from-here.ts'
import { paths } from '../../paths.ts'
import { createHomework } from './api.ts'
import { HomeworkForm, type HomeworkBody, type HomeworkValues } from './homework-form.tsx'

/** How long a new homework runs unless the form says otherwise. */
const DEFAULT_DAYS = 7

function emptyHomework(): HomeworkValues {
  // Of this hour, which has begun.
  const now = Math.floor(serverNowMs() / 3_600_000) * 3_600
  return {
    name: '',
    problemIds: [],
    start: toLocalInput(now),
    end: toLocalInput(now + DEFAULT_DAYS * 86_400),
    markdown: '',
  }
}

/** `/course/{name}/homeworks/new`. */
export function NewHomeworkPage() {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs('homeworks')
  const navigate = useNavigateFromHere()
  const client = useQueryClient()
  const [initial] = useState(emptyHomework)
  if (!may('homework.write')) return <ForbiddenPage />

  async function create(homework: HomeworkBody) {
    await createHomework({ ...homework, courseName: course })
    await client.invalidateQueries({ queryKey: ['homeworks', course] })
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
