import { Button, Group, Text } from '@mantine/core'
import { IconFileImport, IconSettings, IconTable, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { GradebookColumns } from '#contract/gradebook'
import { DownloadLink } from '../../components/downloads/download-link.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { MoreMenu } from '../../components/overlays/more-menu.tsx'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { addressOfCall } from '../../lib/api/call.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { columnsQuery } from '../../lib/queries/marks.ts'
import { paths } from '../../paths.ts'
import { ComputeAgain, ComputingProgress, useComputing } from './compute-again.tsx'
import { MarksView } from './marks-view.tsx'
import { useGridFilter, usePeople, type GridFilter } from './use-people.ts'

/** The buttons beside the heading. */
function PageActions({
  filter,
  start,
}: { filter: GridFilter } & Pick<ReturnType<typeof useComputing>, 'start'>) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const fileWith = (more: { explained?: '1' }) =>
    addressOfCall('GET /course/:name/gradebook/file', {
      params: { name: course },
      query: { label: filter.label, ...more },
    })
  return (
    <>
      {may('gradebook.manage') ? (
        <LinkButton
          to={paths.gradebookSettings(course)}
          Icon={IconSettings}
          label={t('gradebook.settings.title')}
        />
      ) : null}
      <LinkButton
        to={paths.gradebookFiles(course)}
        Icon={IconFileImport}
        label={t('gradebook.grid.files')}
      />
      <DownloadLink address={fileWith({})} label={t('gradebook.grid.download')} />
      <MoreMenu>
        <DownloadLink
          address={fileWith({ explained: '1' })}
          label={t('gradebook.grid.downloadExplained')}
        />
        {may('gradebook.write') ? <ComputeAgain start={start} /> : null}
      </MoreMenu>
    </>
  )
}

/** How many people are loaded, and how many marks are being computed. */
function ListState({ people, pending }: { people: ReturnType<typeof usePeople>; pending: number }) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const { list, loaded } = people
  const { hasNextPage, isFetchNextPageError, error } = list
  return (
    <Group gap={16}>
      {hasNextPage ? (
        <Text size="sm" c="dimmed">
          {t('gradebook.grid.loaded', { count: loaded.length })}
        </Text>
      ) : null}
      {isFetchNextPageError ? (
        <Text size="sm" role="alert">
          {errorText(error)}{' '}
          <Button size="xs" variant="subtle" onClick={() => void list.fetchNextPage()}>
            {t('common.retry')}
          </Button>
        </Text>
      ) : null}
      <Text component="output" size="sm">
        {pending > 0 ? t('gradebook.grid.pending', { count: pending }) : ''}
      </Text>
    </Group>
  )
}

function Marks({ table, filter }: { table: GradebookColumns; filter: GridFilter }) {
  const people = usePeople(filter)
  const { list, loaded, pending } = people
  const ids = list.data?.pages[0]?.columnIds.join(' ') ?? ''
  // Every read brings a new list of the same ids.
  const columnIds = useMemo(() => ids.split(' ').map(Number), [ids])
  if (list.isPending) return <RowsSkeleton rows={12} height={36} />
  if (list.data === undefined) return <ErrorBox of={list} />
  return (
    <MarksView
      {...{ table, columnIds, loaded, filter }}
      people={people.people}
      state={<ListState people={people} pending={pending} />}
    />
  )
}

/** What is missing before there can be marks, and where it is made. */
function Missing({ hasStudents }: { hasStudents: boolean }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  return hasStudents ? (
    <EmptyState
      Icon={IconTable}
      text={t('gradebook.grid.noColumns')}
      action={
        <LinkButton to={paths.newHomework(course)} Icon={IconTable} label={t('homeworks.new')} />
      }
    />
  ) : (
    <EmptyState
      Icon={IconUsers}
      text={t('gradebook.grid.noStudents')}
      action={<LinkButton to={paths.members(course)} Icon={IconUsers} label={t('nav.members')} />}
    />
  )
}

/** `/course/{name}/gradebook`: people and their marks. */
export function GradebookPage() {
  const { t } = useTranslation()
  const { course, students } = useCourse()
  const crumbs = useCourseCrumbs()
  const filter = useGridFilter()
  const columns = useQuery(columnsQuery(course))
  const computing = useComputing()
  const title = t('nav.gradebook')
  return (
    <LoadedPage query={columns} title={title} crumbs={crumbs}>
      {(table) => (
        <Page
          title={title}
          crumbs={crumbs}
          actions={<PageActions filter={filter} start={computing.start} />}
        >
          <ComputingProgress {...computing} />
          {students.length > 0 && table.columns.some(({ kind }) => kind !== 'total') ? (
            <Marks table={table} filter={filter} />
          ) : (
            <Missing hasStudents={students.length > 0} />
          )}
        </Page>
      )}
    </LoadedPage>
  )
}
