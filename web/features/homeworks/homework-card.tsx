import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Homework, ProblemProgress } from '#contract/homeworks'
import { homeworkStatusAt } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import type { ProblemItem } from '#contract/problems'
import { Markdown } from '../../components/markdown.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { formatRelative } from '../../lib/format.ts'
import { useLocale } from '../../lib/i18n.ts'
import { LOCALES } from '../../lib/locale.ts'
import { useServerNow } from '../../lib/use-server-now.ts'
import { paths } from '../../paths.ts'
import classes from './list-page.module.css'

interface HomeworkCardProps {
  homework: Homework
  course: string
  problems: ProblemItem[]
  /** The reader's own progress by problem id; null for staff. */
  own: Record<string, ProblemProgress> | null
}

/** One homework: when it runs, what it says, its problems and the own score. */
export function HomeworkCard({ homework, course, problems, own }: HomeworkCardProps) {
  const { t } = useTranslation()
  const { dateTag } = LOCALES[useLocale()]
  const now = useServerNow()
  const status = homeworkStatusAt(homework, Math.floor(now / 1000))
  const byId = new Map(problems.map((problem) => [problem.problemId, problem]))
  const total = homework.problemIds.reduce((sum, id) => sum + (own?.[id]?.score ?? 0), 0)
  return (
    <section className={`app-card ${classes.card}`} aria-labelledby={`homework-${homework.id}`}>
      <div className={classes.head}>
        <h2 id={`homework-${homework.id}`} className={classes.name}>
          {homework.name}
        </h2>
        <span className={classes.status} data-status={status}>
          {t(`homeworks.status.${status}`)}
        </span>
        {own !== null && homework.problemIds.length > 0 ? (
          <span className={classes.total}>
            {t('homeworks.total', {
              score: total,
              full: homework.problemIds.length * TOTAL_SCORE,
            })}
          </span>
        ) : null}
      </div>
      <p className={classes.times}>
        <span>
          {t('homeworks.from')} <TimeText at={homework.start} withZone />
        </span>
        <span>
          {t('homeworks.due')} <TimeText at={homework.end} withZone />
          {status === 'running' ? ` (${formatRelative(homework.end, now, dateTag)})` : ''}
        </span>
      </p>
      <Markdown text={homework.markdown} />
      {homework.problemIds.length > 0 ? (
        <TableBox className={classes.table}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('homeworks.problem')}</th>
                {own === null ? null : (
                  <th scope="col" className="numeric">
                    {t('homeworks.score')}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {homework.problemIds.map((id) => (
                <tr key={id}>
                  <td>
                    <Anchor component={Link} to={paths.problem(course, id)}>
                      #{id} {byId.get(id)?.problemName ?? ''}
                    </Anchor>
                  </td>
                  {own === null ? null : (
                    <td className="numeric">
                      {own[id] === undefined ? '–' : own[id].score}
                      {own[id]?.late
                        ? ` (${t('homeworks.late', { score: own[id].late.score })})`
                        : ''}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      ) : null}
    </section>
  )
}
