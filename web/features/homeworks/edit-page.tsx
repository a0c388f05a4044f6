import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Homework, HomeworkForm as HomeworkBody } from '#contract/homeworks'
import { addressOfCall, call } from '../../lib/api/call.ts'
import { ConfirmDelete } from '../../components/overlays/confirm-delete.tsx'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { formatDeadline, formatTime } from '../../lib/format/format.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { useOpenedEtag } from '../../lib/api/opened-etag.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { paths } from '../../paths.ts'
import { homeworkQuery } from '../../lib/queries/homework-dates.ts'
import { toValues } from './form-values.ts'
import { HomeworkForm } from './homework-form.tsx'

interface EditHomeworkProps {
  homework: Homework
  course: string
  /** ETag of the version that is edited. */
  etag: string | null
}

function EditHomework({ homework, course, etag }: EditHomeworkProps) {
  const { t } = useTranslation()
  const crumbs = useCourseCrumbs('homeworks')
  const navigate = useNavigateFromHere()
  const { id, name, start, end, close } = homework
  const opened = toValues(homework)

  async function leave() {
    await refresh(['homeworks', course])
    await navigate(paths.homeworks(course))
  }

  async function save(form: HomeworkBody, overwrite: boolean) {
    // A field cannot show every moment: a start has only minutes, and an hour repeats when clocks are set back. So a
    // time that the user has not touched keeps its stored value.
    const times = {
      start: formatTime(form.start) === opened.start ? start : form.start,
      end: formatDeadline(form.end) === opened.end ? end : form.end,
      close:
        form.close !== null && formatDeadline(form.close) === opened.close ? close : form.close,
    }
    await call('PUT /homework/:id', {
      params: { id },
      body: { ...form, ...times },
      ifMatch: overwrite ? null : etag,
    })
    await leave()
  }

  async function remove() {
    await call('DELETE /homework/:id', { params: { id }, ifMatch: null })
    await leave()
  }

  return (
    <Page
      title={t('homeworks.edit')}
      crumbs={crumbs}
      actions={<ConfirmDelete name={name} onDelete={remove} />}
    >
      <HomeworkForm
        course={course}
        initial={opened}
        cancelTo={paths.homeworks(course)}
        onSave={save}
      />
    </Page>
  )
}

/** `/course/{name}/homeworks/{id}/edit`. */
export function EditHomeworkPage() {
  const { t } = useTranslation()
  const { homeworkId = '' } = useParams()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('homeworks')
  const query = useQuery({
    ...homeworkQuery(homeworkId),
    // A form must not open with cached data, nor change while it is filled in.
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const etag = useOpenedEtag(
    query,
    addressOfCall('GET /homework/:id', { params: { id: homeworkId } }),
  )
  return (
    <LoadedPage
      query={query}
      title={t('homeworks.edit')}
      crumbs={crumbs}
      isHere={(homework) => homework.course === course}
    >
      {(homework) => <EditHomework homework={homework} course={course} etag={etag} />}
    </LoadedPage>
  )
}
