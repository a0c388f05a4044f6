import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { languageOf } from '#contract/languages'
import type { SubmissionItem } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { CopyButton } from '../../components/copy-button.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { VerdictBadge } from '../../components/verdict-badge.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { paths } from '../../paths.ts'
import { MeasureCells, MeasureHeads } from './measure-cells.tsx'
import { shortId } from './short-id.ts'
import classes from './submission-table.module.css'

interface SubmissionTableProps {
  items: SubmissionItem[]
  course: string
  isStaff: boolean
}

/** A table; on narrow screens every row is a card. */
export function SubmissionTable({ items, course, isStaff }: SubmissionTableProps) {
  const { t } = useTranslation()
  return (
    <TableBox className={`app-cards ${classes.table}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('submission.id')}</th>
            <th scope="col">{t('submission.problem')}</th>
            {isStaff ? <th scope="col">{t('submission.userAndIp')}</th> : null}
            <th scope="col">{t('submission.verdict')}</th>
            <th scope="col" className="numeric">
              {t('submission.score')}
            </th>
            <MeasureHeads />
            <th scope="col">{t('submission.language')}</th>
            <th scope="col">{t('submission.when')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.submissionId}>
              <td className={classes.id}>
                <Anchor
                  component={Link}
                  to={paths.submission(course, item.submissionId)}
                  className="mono"
                >
                  {shortId(item.submissionId)}
                </Anchor>
                <CopyButton
                  text={
                    new URL(paths.submission(course, item.submissionId), window.location.href).href
                  }
                  label={t('submission.copyLinkOf', { id: shortId(item.submissionId) })}
                />
              </td>
              <td className={classes.problem}>
                <Anchor component={Link} to={paths.problem(course, item.problemId)}>
                  #{item.problemId} {item.problemName}
                </Anchor>
              </td>
              {isStaff ? (
                <td title={item.user.displayedName}>
                  {item.user.username}
                  <span className={`mono ${classes.ip}`}>{item.ipAddr}</span>
                </td>
              ) : null}
              <td className={classes.verdict} data-wide>
                <VerdictBadge status={item.status} />
              </td>
              <td className="numeric" data-label={t('submission.score')}>
                {item.status === STATUS.PENDING ? '–' : item.score}
              </td>
              <MeasureCells runTimeMs={item.runTime} memoryKb={item.memoryUsage} />
              <td>{languageOf(item.languageType).label}</td>
              <td>
                <TimeText at={item.timestamp} relative />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}
