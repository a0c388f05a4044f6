import { Box, Group } from '@mantine/core'
import { IconCalendarTime, IconChartBar, IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Homework, HomeworkMark, HomeworkStatus, ProblemProgress } from '#contract/homeworks'
import { sumOfPoints } from '#contract/homework-dates'
import { homeworkStatusAt, isBoardOpen } from '#contract/homeworks'
import type { ProblemItem } from '#contract/problems'
import { GivenPoints } from '../../components/homeworks/given-points.tsx'
import { fullUntil, isPlain } from '../../components/homeworks/late-rule.ts'
import { LateDaysLine } from '../../components/homeworks/late-days-line.tsx'
import { LateRuleNote } from '../../components/homeworks/late-rule-note.tsx'
import { Countdown, OwnDates } from '../../components/homeworks/own-dates.tsx'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Markdown } from '../../components/markdown/markdown.tsx'
import { SameMistakes } from '../../components/problem/same-mistakes.tsx'
import { HomeworkRequests } from '../../components/questions/homework-requests.tsx'
import { RejudgeAll } from '../../components/judging/rejudge-all.tsx'
import { RejudgePanel } from '../../components/judging/rejudge-panel.tsx'
import { ScoreText } from '../../components/judging/score-text.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { countSolved } from '../../lib/format/marks.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { paths } from '../../paths.ts'
import { rejudgePath } from './api.ts'
import { CopyHomework } from './copy-homework.tsx'
import { HomeworkProblems } from './homework-problems.tsx'
import classes from './list-page.module.css'
import { Turnout } from './turnout.tsx'

interface HomeworkCardProps {
  homework: Homework
  problems: Map<number, ProblemItem>
  /** The user's progress by problem id; null for staff. */
  own: Record<string, ProblemProgress> | null
  /** The user's mark; null for staff. */
  mark: HomeworkMark | null
}

/** The user's dates, the countdown, and what the dates mean if there is more to them than a due time. */
function Times({ homework, status }: { homework: Homework; status: HomeworkStatus }) {
  const { own, lateRule, counts, courseCounts, lateDays } = homework
  // Without a late rule, late work counts by late days, which have a line of their own.
  const isByDays = lateDays !== null && lateRule.kind === 'none' && own.latePercent === null
  const dates = isByDays ? { ...own, closes: fullUntil(own) } : own
  const terms = { own: dates, lateRule, counts: counts ?? courseCounts }
  return (
    <>
      <Group align="baseline" gap="2px 24px" mb={12} fz="sm" c="dimmed">
        <OwnDates own={own} withStart />
        {status === 'over' || own.excused ? null : (
          <span className={classes.countdown}>
            <Countdown own={own} />
          </span>
        )}
      </Group>
      {isPlain(terms) || own.excused ? null : (
        <div className={classes.rule}>
          <LateRuleNote terms={terms} />
        </div>
      )}
    </>
  )
}

interface TotalProps {
  homework: Homework
  own: Record<string, ProblemProgress>
  mark: HomeworkMark | null
}

/** How much the user has solved, and their points where they are shown; or that they are excused. */
function Total({ homework, own, mark }: TotalProps) {
  const { t } = useTranslation()
  const { problemIds, points } = homework
  if (homework.own.excused || mark?.excused)
    return (
      <p className={classes.total}>
        <strong>{t('homeworks.excused')}</strong>
      </p>
    )
  return (
    <p className={classes.total}>
      {t('homeworks.solved', { solved: countSolved(problemIds, own), all: problemIds.length })}
      {mark?.sum === null ? null : (
        <span className="app-figure">
          <ScoreText score={mark?.sum ?? 0} full={sumOfPoints(points)} />
        </span>
      )}
    </p>
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
      <SameMistakes to={paths.homeworkMistakes(course, homework.id)} />
      {may('homework.write') ? (
        <>
          <LinkButton
            to={paths.homeworkDates(course, homework.id)}
            Icon={IconCalendarTime}
            label={t('dates.title')}
          />
          <LinkButton
            to={paths.editHomework(course, homework.id)}
            Icon={IconPencil}
            label={t('common.edit')}
          />
          <CopyHomework homework={homework} />
          <RejudgeAll name={homework.name} path={rejudgePath(homework.id)} isQuiet />
        </>
      ) : null}
    </Box>
  )
}

/** One homework: times, text, problems and the user's score. */
export function HomeworkCard({ homework, problems, own, mark }: HomeworkCardProps) {
  const { t } = useTranslation()
  const { students, may } = useCourse()
  const status = homeworkStatusAt(homework.own, Math.floor(useServerNow() / 1000))
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
          <Total homework={homework} own={own} mark={mark} />
        ) : null}
        {may('submission.readAll') && status !== 'not-started' && students.length > 0 ? (
          <Turnout homework={homework} />
        ) : null}
      </Group>
      <Times homework={homework} status={status} />
      <LateDaysLine homework={homework} mark={mark} />
      {own === null || status === 'not-started' ? null : <HomeworkRequests homework={homework} />}
      {mark === null || mark.given === null ? null : (
        <p className={classes.given}>
          {t('late.whole', { points: mark.given.points })} <GivenPoints given={mark.given} />
        </p>
      )}
      {may('submission.rejudge') ? <RejudgePanel path={rejudgePath(homework.id)} /> : null}
      <Markdown text={homework.markdown} />
      <Actions homework={homework} isBoardOpen={isBoardOpen({ ...homework, status })} />
      {homework.problemIds.length > 0 ? (
        <HomeworkProblems homework={homework} problems={problems} own={own} />
      ) : null}
    </section>
  )
}
