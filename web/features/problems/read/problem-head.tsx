import { Anchor, Group } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { homeworkStatusAt, type HomeworkStatus } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import type { Problem, ProblemHomework, ProblemName } from '#contract/problems'
import { Countdown, OwnDates } from '../../../components/homeworks/own-dates.tsx'
import { WithLateDates } from '../../../components/homeworks/with-late-dates.tsx'
import { useServerNow } from '../../../lib/live/use-server-now.ts'
import { paths } from '../../../paths.ts'
import classes from './problem-head.module.css'

interface HomeworkLineProps {
  homework: ProblemHomework
  course: string
}

/** What the user has to know before all: that they are excused, how much time is left, or that there is none. */
function State({ own, status }: Pick<ProblemHomework, 'own'> & { status: HomeworkStatus }) {
  const { t } = useTranslation()
  if (own.excused) return <strong>{t('homeworks.excused')}</strong>
  return status === 'running' ? (
    <strong>
      <Countdown own={own} />
    </strong>
  ) : (
    <span>{t(`homeworks.status.${status}`)}</span>
  )
}

/** A homework of the problem, with the user's dates and its points if these are not the usual ones. */
function HomeworkLine({ homework, course }: HomeworkLineProps) {
  const { t } = useTranslation()
  const status = homeworkStatusAt(homework.own, Math.floor(useServerNow() / 1000))
  return (
    <li data-status={status}>
      <Anchor component={Link} to={paths.homeworks(course)} inherit>
        {homework.name}
      </Anchor>
      <OwnDates own={homework.own} />
      {homework.points === TOTAL_SCORE ? null : (
        <span>{t('late.worth', { count: homework.points })}</span>
      )}
      <State own={homework.own} status={status} />
    </li>
  )
}

interface NeighbourProps {
  course: string
  problem: ProblemName | null
  rel: 'prev' | 'next'
}

/** A link to the problem before or after this one. */
function Neighbour({ course, problem, rel }: NeighbourProps) {
  const { t } = useTranslation()
  if (problem === null) return null
  return (
    <Anchor
      component={Link}
      to={paths.problem(course, problem.problemId)}
      rel={rel}
      className={classes.neighbour}
      aria-label={t(`problem.${rel}`, { name: problem.problemName })}
    >
      {rel === 'prev' ? <IconArrowLeft size={16} aria-hidden="true" /> : null}
      <span>{problem.problemName}</span>
      {rel === 'next' ? <IconArrowRight size={16} aria-hidden="true" /> : null}
    </Anchor>
  )
}

/** The lines above a problem: its homeworks with their deadlines, and links to the problems before and after it. */
export function ProblemHead({ problem }: { problem: Problem }) {
  const { t } = useTranslation()
  const { course, homeworks, neighbours } = problem
  return (
    <Group
      className="app-screen-only"
      align="flex-start"
      justify="space-between"
      gap="8px 24px"
      mb={14}
    >
      <ul className={`app-list ${classes.homeworks}`}>
        <WithLateDates homeworks={homeworks}>
          {(dated) =>
            dated.map((homework) => (
              <HomeworkLine key={homework.id} homework={homework} course={course} />
            ))
          }
        </WithLateDates>
      </ul>
      <nav aria-label={t('problem.neighbours')} className={classes.neighbours}>
        <Neighbour course={course} problem={neighbours.previous} rel="prev" />
        <Neighbour course={course} problem={neighbours.next} rel="next" />
      </nav>
    </Group>
  )
}
