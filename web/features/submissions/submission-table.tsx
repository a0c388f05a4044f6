import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { languageOf } from '#contract/languages'
import type { SubmissionItem } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { CopyButton } from '../../components/page/copy-button.tsx'
import { Person } from '../../components/display/person.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { ScoreText } from '../../components/judging/score-text.tsx'
import { VerdictBadge } from '../../components/judging/verdict-badge.tsx'
import { TableBox } from '../../components/lists/table-box.tsx'
import { paths } from '../../paths.ts'
import { isOnlyUnscored } from './case-advice.ts'
import { MeasureCells, MeasureHeads } from './measure-cells.tsx'
import { shortId } from './short-id.ts'
import classes from './submission-table.module.css'

interface SubmissionTableProps {
  items: SubmissionItem[]
  course: string
  isStaff: boolean
}

interface SubmissionRowProps extends Omit<SubmissionTableProps, 'items'> {
  item: SubmissionItem
}

function SubmissionRow({ item, course, isStaff }: SubmissionRowProps) {
  const { t } = useTranslation()
  const path = paths.submission(course, item.submissionId)
  const id = shortId(item.submissionId)
  return (
    <tr>
      <td className={classes.problem}>
        <Anchor component={Link} to={paths.problem(course, item.problemId)}>
          #{item.problemId} {item.problemName}
        </Anchor>
      </td>
      {isStaff ? (
        <td className={classes.person}>
          <Person user={item.user} linkedIn={course} />
          <span className={`mono ${classes.note}`}>{item.ipAddr}</span>
        </td>
      ) : null}
      <td className={classes.verdict}>
        <Link to={path} className={classes.badge}>
          <VerdictBadge status={item.status} />
        </Link>
        {isOnlyUnscored(item) ? (
          <span className={classes.note}>{t('submission.onlyUnscored')}</span>
        ) : null}
      </td>
      <td className="numeric" data-label={t('submission.score')}>
        {item.status === STATUS.PENDING ? '–' : <ScoreText score={item.score} />}
      </td>
      <MeasureCells runTimeMs={item.runTime} memoryKb={item.memoryUsage} />
      <td className={classes.language}>{languageOf(item.languageType).label}</td>
      <td>
        <TimeText at={item.timestamp} relative />
      </td>
      <td className={classes.id}>
        <Anchor component={Link} to={path} className="mono" c="dimmed">
          {id}
        </Anchor>
        <CopyButton
          text={new URL(path, window.location.href).href}
          label={t('submission.copyLinkOf', { id })}
        />
      </td>
    </tr>
  )
}

/** A table; on narrow screens every row is a card. */
export function SubmissionTable({ items, course, isStaff }: SubmissionTableProps) {
  const { t } = useTranslation()
  return (
    <TableBox className={`app-cards ${classes.table}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('submission.problem')}</th>
            {isStaff ? <th scope="col">{t('submission.userAndIp')}</th> : null}
            <th scope="col">{t('submission.verdict')}</th>
            <th scope="col" className="numeric">
              {t('submission.score')}
            </th>
            <MeasureHeads />
            <th scope="col">{t('submission.language')}</th>
            <th scope="col">{t('submission.when')}</th>
            <th scope="col">{t('submission.id')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <SubmissionRow key={item.submissionId} item={item} course={course} isStaff={isStaff} />
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}
