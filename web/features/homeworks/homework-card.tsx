import { Box, Group } from '@mantine/core'
import { IconChartBar, IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Homework, HomeworkStatus, ProblemProgress } from '#contract/homeworks'
import { homeworkStatusAt, isBoardOpen } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import type { ProblemItem } from '#contract/problems'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Markdown } from '../../components/markdown/markdown.tsx'
import { RejudgeAll } from '../../components/judging/rejudge-all.tsx'
import { RejudgePanel } from '../../components/judging/rejudge-panel.tsx'
import { ScoreText } from '../../components/judging/score-text.tsx'
import { TimeLeft } from '../../components/display/time-left.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { countSolved } from '../../lib/format/marks.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { paths } from '../../paths.ts'
import { rejudgePath } from './api.ts'
import { HomeworkProblems } from './homework-problems.tsx'
import classes from './list-page.module.css'
import { Turnout } from './turnout.tsx'

interface HomeworkCardProps {
  homework: Homework
  problems: Map<number, ProblemItem>
  /** The user's progress by problem id; null for staff. */
  own: Record<string, ProblemProgress> | null
}

/** Start, deadline and countdown. */
function Times({ homework, status }: { homework: Homework; status: HomeworkStatus }) {
  const { t } = useTranslation()
  return (
    <Group align="baseline" gap="2px 24px" mb={12} fz="sm" c="dimmed">
      <span>
        {t('homeworks.from')} <TimeText at={homework.start} withZone />
      </span>
      <span>
        {t('homeworks.due')} <TimeText at={homework.end} isDeadline />
      </span>
      {status === 'over' ? null : (
        <span className={classes.countdown}>
          {status === 'running' ? (
            <TimeLeft until={homework.end} />
          ) : (
            <TimeLeft until={homework.start} text="homeworks.startsIn" />
          )}
        </span>
      )}
    </Group>
  )
}

/** The actions on a homework; students get at most a link to the scoreboard. */
function Actions({ homework, isBoardOpen }: { homework: Homework; isBoardOpen: boolean }) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  if (!isBoardOpen && !may('homework.write')) return null
  return (
    <Box className="app-row app-screen-only" mt={14} mb={18}>
      <LinkButton
        to={paths.homeworkStats(course, homework.id)}
        Icon={IconChartBar}
        label={t('homeworks.scoreboard')}
      />
      {may('homework.write') ? (
        <>
          <LinkButton
            to={paths.editHomework(course, homework.id)}
            Icon={IconPencil}
            label={t('common.edit')}
          />
          <RejudgeAll name={homework.name} path={rejudgePath(homework.id)} isQuiet />
        </>
      ) : null}
    </Box>
  )
}

/** One homework: times, text, problems and the user's score. */
export function HomeworkCard({ homework, problems, own }: HomeworkCardProps) {
  const { t } = useTranslation()
  const { students, may } = useCourse()
  const status = homeworkStatusAt(homework, Math.floor(useServerNow() / 1000))
  const total = homework.problemIds.reduce((sum, id) => sum + (own?.[id]?.score ?? 0), 0)
  return (
    <section
      className={`app-card ${classes.card}`}
      data-status={status}
      aria-labelledby={`homework-${homework.id}`}
    >
      <Group gap="6px 12px" mb={8}>
        <h2 id={`homework-${homework.id}`} className={classes.name}>
          {homework.name}
        </h2>
        <span className={classes.status} data-status={status}>
          {t(`homeworks.status.${status}`)}
        </span>
        {own !== null && homework.problemIds.length > 0 ? (
          <p className={classes.total}>
            {t('homeworks.solved', {
              solved: countSolved(homework.problemIds, own),
              all: homework.problemIds.length,
            })}
            <span className="app-figure">
              <ScoreText score={total} full={homework.problemIds.length * TOTAL_SCORE} />
            </span>
          </p>
        ) : null}
        {may('submission.readAll') && status !== 'not-started' && students.length > 0 ? (
          <Turnout homework={homework} />
        ) : null}
      </Group>
      <Times homework={homework} status={status} />
      {may('submission.rejudge') ? <RejudgePanel path={rejudgePath(homework.id)} /> : null}
      <Markdown text={homework.markdown} />
      <Actions homework={homework} isBoardOpen={isBoardOpen({ ...homework, status })} />
      {homework.problemIds.length > 0 ? (
        <HomeworkProblems problemIds={homework.problemIds} problems={problems} own={own} />
      ) : null}
    </section>
  )
}
