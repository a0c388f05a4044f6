import { ActionIcon, Anchor } from '@mantine/core'
import { IconChartBar, IconGitCompare } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ProblemProgress } from '#contract/homeworks'
import type { ProblemItem } from '#contract/problems'
import { QuotaText } from '../../components/quota-text.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { useCourse } from '../../lib/course.ts'
import { paths } from '../../paths.ts'
import classes from './list-page.module.css'

function Score({ progress }: { progress: ProblemProgress | undefined }) {
  const { t } = useTranslation()
  if (progress === undefined) return '–'
  const score = progress.submissionIds.length === 0 ? '–' : progress.score
  if (progress.late === null) return score
  return (
    <>
      {score} <small>({t('homeworks.late', { score: progress.late.score })})</small>
    </>
  )
}

function Links({ problemId }: { problemId: number }) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  return (
    <>
      <ActionIcon
        component={Link}
        to={paths.problemStats(course, problemId)}
        variant="subtle"
        color="gray"
        aria-label={t('problem.statsOf', { id: problemId })}
        title={t('common.stats')}
      >
        <IconChartBar size={17} />
      </ActionIcon>
      {may('submission.readAll') ? (
        <ActionIcon
          component={Link}
          to={paths.copycat(course, problemId)}
          variant="subtle"
          color="gray"
          aria-label={t('homeworks.copycatOf', { id: problemId })}
          title={t('problem.copycat')}
        >
          <IconGitCompare size={17} />
        </ActionIcon>
      ) : null}
    </>
  )
}

interface HomeworkProblemsProps {
  problemIds: number[]
  /** Those of the course, for names and quotas. */
  problems: Map<number, ProblemItem>
  /** The reader's own progress by problem id; null for staff. */
  own: Record<string, ProblemProgress> | null
}

/** A homework's problems with what is left of today's quota and the own score. */
export function HomeworkProblems({ problemIds, problems, own }: HomeworkProblemsProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  return (
    <TableBox className={`app-cards ${classes.table}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">{t('homeworks.problem')}</th>
            <th scope="col" className="numeric">
              {t('homeworks.left')}
            </th>
            {own === null ? null : (
              <th scope="col" className="numeric">
                {t('homeworks.score')}
              </th>
            )}
            <th scope="col" className="numeric">
              {t('homeworks.links')}
            </th>
          </tr>
        </thead>
        <tbody>
          {problemIds.map((id, index) => {
            const problem = problems.get(id)
            return (
              <tr key={id}>
                <td className={classes.index}>{index + 1}</td>
                <td className={classes.problem}>
                  <Anchor component={Link} to={paths.problem(course, id)}>
                    #{id} {problem?.problemName ?? ''}
                  </Anchor>
                </td>
                <td className="numeric" data-label={t('homeworks.left')}>
                  {problem === undefined ? (
                    '–'
                  ) : (
                    <QuotaText quota={problem.quota} used={problem.quotaUsed} />
                  )}
                </td>
                {own === null ? null : (
                  <td className="numeric" data-label={t('homeworks.score')}>
                    <Score progress={own[id]} />
                  </td>
                )}
                <td className={`numeric ${classes.links}`}>
                  <Links problemId={id} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </TableBox>
  )
}
