import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { GradebookColumn, GradebookPage } from '#contract/gradebook'
import { Page, type Crumb } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useColumnName } from '../../lib/format/column-name.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { columnsQuery } from '../../lib/queries/marks.ts'
import { wholeGradebookQuery } from './api.ts'
import { ClassroomList } from './files/classroom-list.tsx'
import { FileSection } from './files/file-section.tsx'
import { markedPeople } from './files/marked-people.ts'

interface FilesProps {
  stored: readonly GradebookColumn[]
  pages: readonly GradebookPage[]
  crumbs: Crumb[]
}

function Files({ stored, pages, crumbs }: FilesProps) {
  const { t } = useTranslation()
  const { emails } = useCourse()
  const nameOf = useColumnName()
  const columns = useMemo(
    () => stored.map((column) => ({ ...column, name: nameOf(column) })),
    [stored, nameOf],
  )
  const people = useMemo(() => markedPeople(pages, emails), [pages, emails])
  const pending = pages.at(-1)?.pending ?? 0
  return (
    <Page title={t('gradebook.files.title')} crumbs={crumbs}>
      <Stack gap={24}>
        {pending > 0 ? (
          <Alert color="yellow">{t('gradebook.files.pending', { count: pending })}</Alert>
        ) : null}
        <FileSection people={people} columns={columns} />
        <ClassroomList people={people} columns={columns} />
      </Stack>
    </Page>
  )
}

/** `/course/{name}/gradebook/files`: files of other systems, filled and read. */
export function FilesPage() {
  const { t } = useTranslation()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('gradebook')
  const title = t('gradebook.files.title')
  const columns = useQuery(columnsQuery(course))
  const pages = useQuery(wholeGradebookQuery(course))
  return (
    <LoadedPage query={columns} title={title} crumbs={crumbs}>
      {(table) => (
        <LoadedPage query={pages} title={title} crumbs={crumbs}>
          {(read) => <Files stored={table.columns} pages={read} crumbs={crumbs} />}
        </LoadedPage>
      )}
    </LoadedPage>
  )
}
