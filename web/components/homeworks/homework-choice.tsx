import { NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { homeworkStatusAt, type Homework } from '#contract/homeworks'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { homeworksQuery } from '../../lib/queries/course-homeworks.ts'
import { ErrorBox } from '../feedback/error-box.tsx'
import { RowsSkeleton } from '../feedback/rows-skeleton.tsx'

/** The homework that a dialog is about, or the problem whose homeworks it lets choose from. */
export type About =
  { homeworkId: string; problemId?: never } | { homeworkId?: never; problemId: number }

/** The homeworks in question: running ones first, of these the earliest due, else the last that was due. */
function homeworksFor(all: Homework[], { homeworkId, problemId }: About, now: number): Homework[] {
  const rank = ({ own }: Homework) =>
    homeworkStatusAt(own, now) === 'running' ? own.due - now : Number.MAX_SAFE_INTEGER - own.due
  return all
    .filter(({ id, problemIds }) =>
      problemId === undefined ? id === homeworkId : problemIds.includes(problemId),
    )
    .toSorted((left, right) => rank(left) - rank(right))
}

interface HomeworkChoiceProps {
  about: About
  children: (homework: Homework) => ReactNode
}

/** The form for a homework, below the choice of the homework if there are several. */
export function HomeworkChoice({ about, children }: HomeworkChoiceProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const now = useServerNow() / 1000
  const [chosen, setChosen] = useState<string | null>(null)
  const all = useQuery(homeworksQuery(course))
  if (all.isPending) return <RowsSkeleton rows={3} height={50} />
  if (!all.data) return <ErrorBox of={all} />
  const homeworks = homeworksFor(all.data, about, now)
  const homework = homeworks.find(({ id }) => id === chosen) ?? homeworks[0]
  if (homework === undefined) return <Text size="sm">{t('dates.noHomework')}</Text>
  // A change of dates may change the order, but not the choice.
  if (homework.id !== chosen) setChosen(homework.id)
  return (
    <>
      {homeworks.length > 1 ? (
        <NativeSelect
          mb="md"
          label={t('dates.homework')}
          value={homework.id}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={homeworks.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
      {children(homework)}
    </>
  )
}
