import { NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { homeworkStatusAt, type Homework } from '#contract/homeworks'
import { keepWallTimes } from '#contract/wall-time'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { formatDeadline, formatDuration, formatTime } from '../../lib/format/format.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { homeworksQuery } from '../../lib/queries/course-homeworks.ts'

/** What stays as it is when a course gets another time zone. */
const HOMEWORKS_KEEP = ['instants', 'wallTimes'] as const
export type HomeworksKeep = (typeof HOMEWORKS_KEEP)[number]

interface MovedTimesProps {
  /** The new time zone. */
  timeZone: string
  keep: HomeworksKeep
  onChange: (keep: HomeworksKeep) => void
}

type Times = Pick<Homework, 'start' | 'end' | 'close'>
type MovedHomework = Homework & { next: Times }

/** Each homework in the old and the new time zone, and how far its due time moves. */
function MovedTable({
  timeZone,
  rows,
  now,
}: {
  timeZone: string
  rows: MovedHomework[]
  now: number
}) {
  const { t } = useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const { timeZone: old } = useCourse()

  function moveOf({ end, next }: MovedHomework): string {
    if (next.end === end) return t('courseSettings.same')
    if (next.end <= now) return t('courseSettings.endsNow')
    const time = formatDuration(Math.abs(next.end - end), dateTag)
    return t(next.end < end ? 'courseSettings.earlier' : 'courseSettings.later', { time })
  }

  const inZone = (zone: string, timesOf: (row: MovedHomework) => Times) => ({
    head: t('courseSettings.inZone', { zone }),
    isLabelled: true,
    renderCell(row: MovedHomework) {
      const { start, end, close } = timesOf(row)
      const times = `${formatTime(start, zone)} – ${formatDeadline(end, zone)}`
      if (close === null) return times
      return `${times} (${t('homeworkForm.before', { time: formatDeadline(close, zone) })})`
    },
  })
  return (
    <ListTable
      label={t('courseSettings.movedTimes')}
      className="app-cards"
      columns={[
        { head: t('courseSettings.homework'), isWide: true, renderCell: ({ name }) => name },
        inZone(old, (row) => row),
        inZone(timeZone, ({ next }) => next),
        { head: t('courseSettings.move'), isLabelled: true, renderCell: moveOf },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
    />
  )
}

/** Shows, before a new time zone is saved, how it changes the homeworks that are not over. */
export function MovedTimes({ timeZone, keep, onChange }: MovedTimesProps) {
  const { t } = useTranslation()
  const { course, timeZone: old } = useCourse()
  const list = useQuery(homeworksQuery(course))
  const now = Math.floor(useServerNow() / 1000)
  if (list.isPending) return <RowsSkeleton rows={2} height={40} />
  if (list.isLoadingError) return <ErrorBox of={list} />
  const rows = list.data
    .filter((homework) => homeworkStatusAt(homework.own, now) !== 'over')
    .map((homework) => {
      if (keep === 'instants') return { ...homework, next: homework }
      const { start, end, close } = homework
      const next = keepWallTimes({ start, end, close: close ?? end }, old, timeZone, now)
      return { ...homework, next: close === null ? { ...next, close } : next }
    })
  if (rows.length === 0) return <Text size="sm">{t('courseSettings.noneToMove')}</Text>
  return (
    <>
      <NativeSelect
        label={t('courseSettings.homeworksKeep')}
        data={HOMEWORKS_KEEP.map((value) => ({
          value,
          label: t(`courseSettings.keep.${value}`),
        }))}
        value={keep}
        onChange={({ currentTarget }) =>
          onChange(HOMEWORKS_KEEP.find((value) => value === currentTarget.value) ?? 'instants')
        }
      />
      <MovedTable timeZone={timeZone} rows={rows} now={now} />
    </>
  )
}
