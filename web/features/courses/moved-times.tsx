import { NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { homeworkStatusAt, keepWallTimes } from '#contract/homeworks'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { formatDeadline, formatDuration, formatTime } from '../../lib/format/format.ts'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { homeworksQuery } from '../../lib/queries/homeworks.ts'

/** What stays as it is when a course gets another time zone. */
export const HOMEWORKS_KEEP = ['instants', 'wallTimes'] as const
export type HomeworksKeep = (typeof HOMEWORKS_KEEP)[number]

interface MovedTimesProps {
  /** The new time zone. */
  timeZone: string
  keep: HomeworksKeep
  onChange: (keep: HomeworksKeep) => void
}

/** What another time zone makes of the homeworks that are not over, before it is saved. */
export function MovedTimes({ timeZone, keep, onChange }: MovedTimesProps) {
  const { t } = useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const { course, timeZone: old } = useCourse()
  const list = useQuery(homeworksQuery(course))
  const now = Math.floor(useServerNow() / 1000)
  if (list.isPending) return <RowsSkeleton rows={2} height={40} />
  if (list.isLoadingError) return <ErrorBox of={list} />
  const rows = list.data
    .filter((homework) => homeworkStatusAt(homework, now) !== 'over')
    .map((homework) => ({
      ...homework,
      next: keep === 'instants' ? homework : keepWallTimes(homework, old, timeZone, now),
    }))
  if (rows.length === 0) return <Text size="sm">{t('courseSettings.noneToMove')}</Text>

  /** How far a time moves, in words. */
  function moveOf(before: number, after: number): string {
    if (before === after) return t('courseSettings.same')
    const time = formatDuration(Math.abs(after - before), dateTag)
    return t(after < before ? 'courseSettings.earlier' : 'courseSettings.later', { time })
  }

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
      <ListTable
        label={t('courseSettings.movedTimes')}
        className="app-cards"
        columns={[
          { head: t('courseSettings.homework'), isWide: true, renderCell: ({ name }) => name },
          {
            head: t('courseSettings.inZone', { zone: old }),
            isLabelled: true,
            renderCell: ({ start, end }) =>
              `${formatTime(start, old)} – ${formatDeadline(end, old)}`,
          },
          {
            head: t('courseSettings.inZone', { zone: timeZone }),
            isLabelled: true,
            renderCell: ({ next }) =>
              `${formatTime(next.start, timeZone)} – ${formatDeadline(next.end, timeZone)}`,
          },
          {
            head: t('courseSettings.move'),
            isLabelled: true,
            renderCell: ({ end, next }) =>
              next.end <= now ? t('courseSettings.endsNow') : moveOf(end, next.end),
          },
        ]}
        rows={rows}
        keyOf={({ id }) => id}
      />
    </>
  )
}
