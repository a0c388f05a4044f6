import { Button, Stack, Text } from '@mantine/core'
import { IconChartBar, IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { HomeworkDatesTable } from '#contract/homework-overrides'
import type { Homework } from '#contract/homeworks'
import { useLabelChoice } from '../../components/labels/use-label-choice.ts'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { downloadCsv } from '../../lib/files/download.ts'
import { formatDeadline, zoneName } from '../../lib/format/format.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { homeworksQuery } from '../../lib/queries/course-homeworks.ts'
import { homeworkDatesQuery } from '../../lib/queries/homework-dates.ts'
import { paths } from '../../paths.ts'
import { DatesImport } from './dates/dates-import.tsx'
import { toDatesTable } from './dates/dates-rows.ts'
import { DatesTable } from './dates/dates-table.tsx'
import { ForEverybody } from './dates/for-everybody.tsx'
import { ForLabels } from './dates/for-labels.tsx'
import { KeptMarks } from './dates/kept-marks.tsx'

interface DatesProps {
  homework: Homework
  table: HomeworkDatesTable
}

function Dates({ homework, table }: DatesProps) {
  const { t } = useTranslation()
  const detail = useCourse()
  const { course, timeZone } = detail
  const { isShown } = useLabelChoice(true)
  const people = table.people.filter(({ user }) => isShown(user.username))
  const crumbs = useCourseCrumbs('homeworks')
  const { id, name, own } = homework
  const isOtherZone = formatDeadline(own.due) !== formatDeadline(own.due, timeZone)
  return (
    <Page
      title={t('dates.of', { name })}
      crumbs={crumbs}
      actions={
        <>
          <LinkButton
            to={paths.homeworkStats(course, id)}
            Icon={IconChartBar}
            label={t('homeworks.scoreboard')}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            onClick={() =>
              void downloadCsv(
                `${course} ${name} ${t('dates.title')}`,
                toDatesTable({ ...table, people }, detail),
              )
            }
          >
            {t('dates.download')}
          </Button>
        </>
      }
    >
      {isOtherZone ? (
        <Text size="sm" c="dimmed" mb="md">
          {t('dates.zones', { own: zoneName(own.due), course: timeZone })}
        </Text>
      ) : null}
      <Stack gap={20}>
        <KeptMarks homeworkId={id} />
        <ForEverybody homework={homework} table={table} />
        <ForLabels homework={homework} table={table} />
        <DatesTable homework={homework} table={table} />
        <DatesImport homework={homework} table={table} />
      </Stack>
    </Page>
  )
}

function LoadedDates({ homework }: { homework: Homework }) {
  const { t } = useTranslation()
  const crumbs = useCourseCrumbs('homeworks')
  const dates = useQuery(homeworkDatesQuery(homework.id))
  return (
    <LoadedPage query={dates} title={t('dates.title')} crumbs={crumbs}>
      {(table) => <Dates homework={homework} table={table} />}
    </LoadedPage>
  )
}

/** `/course/{name}/homeworks/{id}/dates`: everybody's dates, and what staff have changed of them. */
export function HomeworkDatesPage() {
  const { t } = useTranslation()
  const { homeworkId = '' } = useParams()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('homeworks')
  const homeworks = useQuery(homeworksQuery(course))
  return (
    <LoadedPage query={homeworks} title={t('dates.title')} crumbs={crumbs}>
      {(all) => {
        const homework = all.find(({ id }) => id === homeworkId)
        return homework === undefined ? <NotFoundPage /> : <LoadedDates homework={homework} />
      }}
    </LoadedPage>
  )
}
