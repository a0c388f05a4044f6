import { useInViewport } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Homework } from '#contract/homeworks'
import { useCourse } from '../../lib/queries/course.ts'
import { useNumberText } from '../../lib/format/number-text.ts'
import { homeworkQuery } from '../../lib/queries/homework-dates.ts'
import classes from './list-page.module.css'
import { boardOfHomework, turnoutOf } from './scoreboard.ts'

/**
 * Shows staff how many students have handed in, and their mean score. The query is sent once this part comes into
 * sight, because it costs a row for each student and problem.
 */
export function Turnout({ homework: { id } }: { homework: Homework }) {
  const { t } = useTranslation()
  const { decimal } = useNumberText()
  const { students } = useCourse()
  const { ref, inViewport } = useInViewport<HTMLSpanElement>()
  const read = useQuery({
    ...homeworkQuery(id),
    // The edit form must not open with this cached data, so it has a key of its own.
    queryKey: ['homework', id, 'turnout'],
    enabled: inViewport,
    staleTime: 30_000,
  })
  const turnout = read.data && turnoutOf(boardOfHomework(students, read.data))
  return (
    <span ref={ref} className={classes.total}>
      {turnout && t('homeworks.turnout', { count: turnout.handedIn, all: students.length })}
      {turnout?.mean != null && ` · ${t('homeworks.mean', { mean: decimal(turnout.mean) })}`}
    </span>
  )
}
