import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { COUNT_LIMITS } from '#contract/limits'
import { overview, type Overview } from '#contract/overview'
import { STATUS } from '#contract/verdicts'
import { TimeText } from '../../components/display/time-text.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Countdown } from '../../components/homeworks/own-dates.tsx'
import { Row, RowList } from '../../components/lists/row-list.tsx'
import { Section } from '../../components/page/section.tsx'
import { apiQuery } from '../../lib/api/api-query.ts'
import { paths } from '../../paths.ts'
import { SubmissionRows } from './submission-rows.tsx'

/** How often the overview is read again while it is shown, in ms. */
const REFRESH_MS = 60_000

/** GET /overview. */
export const overviewQuery = apiQuery(
  ['overview'],
  'GET /overview',
  { as: overview },
  {
    refetchInterval: REFRESH_MS,
  },
)

/** The text of an empty short list. */
function Nothing({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  )
}

/** A count as text; the API counts only up to `most`, which is then shown as e.g. `99+`. */
function countText(count: number, most: number): string {
  return count < most ? String(count) : `${most - 1}+`
}

/** Open questions and Judge Errors by course, each a link to what waits. */
function Waiting({ courses }: Pick<Overview, 'courses'>) {
  const { t } = useTranslation()
  const rows = courses.flatMap(({ course, openQuestions, judgeErrors }) => [
    {
      key: `${course} questions`,
      course,
      count: openQuestions,
      to: paths.questions(course),
      text: t('overview.questions', {
        count: openQuestions,
        shown: countText(openQuestions, COUNT_LIMITS.waitingQuestions),
      }),
    },
    {
      key: `${course} errors`,
      course,
      count: judgeErrors,
      to: paths.submissions(course, { status: STATUS.JE }),
      text: t('overview.judgeErrors', {
        count: judgeErrors,
        shown: countText(judgeErrors, COUNT_LIMITS.judgeErrors),
      }),
    },
  ])
  const waiting = rows.filter(({ count }) => count > 0)
  if (waiting.length === 0) return <Nothing text={t('overview.nothing')} />
  return (
    <RowList>
      {waiting.map(({ key, course, to, text }) => (
        <Row
          key={key}
          title={
            <Anchor component={Link} to={to}>
              {text}
            </Anchor>
          }
          facts={course}
        />
      ))}
    </RowList>
  )
}

/** The homeworks that end next, with the number of students who have handed in. */
function Turnouts({ homeworks }: Pick<Overview, 'homeworks'>) {
  const { t } = useTranslation()
  if (homeworks.length === 0) return <Nothing text={t('overview.noHomework')} />
  return (
    <RowList>
      {homeworks.map(({ id, name, course, due, close, handedIn, students }) => (
        <Row
          key={id}
          title={
            <Anchor component={Link} to={paths.homeworkStats(course, id)}>
              {name}
            </Anchor>
          }
          facts={
            <>
              <span>{course}</span>
              <span>
                <Countdown own={{ opens: 0, due, closes: close }} />
              </span>
              <span>
                {t('homeworks.due')} <TimeText at={due} isDeadline />
              </span>
            </>
          }
          action={
            <Text size="sm" fw={600}>
              {t('homeworks.turnout', { count: handedIn, all: students })}
            </Text>
          }
        />
      ))}
    </RowList>
  )
}

/**
 * The waiting work in the courses where the user is staff; empty for an admin without courses. @param placeholder shown
 * until the work is read
 */
export function StaffOverview({ placeholder }: { placeholder: ReactNode }) {
  const { t } = useTranslation()
  const read = useQuery(overviewQuery)
  if (read.isPending) return placeholder
  if (!read.data) return <ErrorBox of={read} />
  const { courses, homeworks, submissions } = read.data
  if (courses.length === 0) return null
  return (
    <>
      <Section title={t('overview.waiting')}>
        <Waiting courses={courses} />
      </Section>
      <Section title={t('overview.turnout')}>
        <Turnouts homeworks={homeworks} />
      </Section>
      <Section title={t('overview.newest')} isQuiet>
        {submissions.length === 0 ? (
          <Nothing text={t('overview.noSubmission')} />
        ) : (
          <SubmissionRows submissions={submissions} withPeople />
        )}
      </Section>
    </>
  )
}
