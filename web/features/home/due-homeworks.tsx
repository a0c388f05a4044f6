import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { sumOfPoints } from '#contract/homework-dates'
import type { RunningHomework } from '#contract/homeworks'
import { can } from '#contract/roles'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { ProblemMark } from '../../components/problem/problem-mark.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { nextDeadline } from '../../components/homeworks/late-rule.ts'
import { Countdown, OwnDates } from '../../components/homeworks/own-dates.tsx'
import { coursesQuery } from '../../lib/queries/courses.ts'
import { markOfProgress } from '../../lib/format/marks.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { paths } from '../../paths.ts'
import { runningHomeworksQuery } from '../../lib/queries/homeworks.ts'
import classes from './due-homeworks.module.css'

/** A deadline stands out when it is nearer than this, in seconds. */
const SOON_SECONDS = 86_400

/** A student's progress: how much of the homework is solved, and the problems that are left. */
function Progress({ homework, username }: { homework: RunningHomework; username: string }) {
  const { t } = useTranslation()
  const { course, problems, points } = homework
  if (problems.length === 0) return null
  const own = homework.studentStatus.get(username) ?? {}
  const mark = homework.marks.get(username)
  const unsolved = problems.filter(({ problemId }) => markOfProgress(own[problemId]) !== 'solved')
  return (
    <>
      <p className={classes.sum}>
        <strong>
          {t('homeworks.solved', {
            solved: problems.length - unsolved.length,
            all: problems.length,
          })}
        </strong>
        {mark?.sum === null ? null : (
          <span>{t('homeworks.total', { score: mark?.sum ?? 0, full: sumOfPoints(points) })}</span>
        )}
      </p>
      <ul className={`app-list ${classes.problems}`}>
        {unsolved.map(({ problemId, problemName }) => (
          <li key={problemId}>
            <Anchor component={Link} to={paths.problem(course, problemId)} size="sm">
              #{problemId} {problemName}
            </Anchor>
            <ProblemMark mark={markOfProgress(own[problemId])} />
          </li>
        ))}
      </ul>
    </>
  )
}

function DueHomework({ homework, username }: { homework: RunningHomework; username: string }) {
  const { t } = useTranslation()
  const now = Math.floor(useServerNow() / 1000)
  const { excused } = homework.own
  const isSoon = !excused && nextDeadline(homework.own, now) - now < SOON_SECONDS
  return (
    <li className={classes.row} data-soon={isSoon || undefined}>
      <p className={`app-figure ${classes.due}`}>
        {excused ? t('homeworks.excused') : <Countdown own={homework.own} />}
      </p>
      <p className={classes.title}>
        <Anchor component={Link} to={paths.homeworks(homework.course)}>
          {homework.name}
        </Anchor>
      </p>
      <p className={classes.facts}>
        <span>{homework.course}</span>
        <OwnDates own={homework.own} />
      </p>
      {excused ? null : <Progress homework={homework} username={username} />}
    </li>
  )
}

/** Homeworks in the order of what is to be done: the next deadline first, and what is excused last. */
function inOrder(homeworks: RunningHomework[], now: number): RunningHomework[] {
  const rank = ({ own }: RunningHomework) =>
    own.excused ? Number.MAX_SAFE_INTEGER : nextDeadline(own, now)
  return homeworks.toSorted((left, right) => rank(left) - rank(right))
}

/** The running homeworks of courses in which the user is a student, by deadline. */
export function DueHomeworks({ username }: { username: string }) {
  const { t } = useTranslation()
  const list = useQuery(runningHomeworksQuery)
  const courses = useQuery(coursesQuery)
  const now = Math.floor(useServerNow() / 1000)
  if (list.isPending) return <RowsSkeleton rows={2} height={88} />
  if (list.isLoadingError) return <ErrorBox of={list} />
  const overseen = new Set(
    courses.data?.flatMap(({ course, role }) => (can(role, 'scoreboard.appear') ? [] : [course])),
  )
  const own = inOrder(
    list.data.filter(({ course }) => !overseen.has(course)),
    now,
  )
  if (own.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('next.noHomework')}
      </Text>
    )
  return (
    <ul className="app-list">
      {own.map((homework) => (
        <DueHomework key={homework.id} homework={homework} username={username} />
      ))}
    </ul>
  )
}
