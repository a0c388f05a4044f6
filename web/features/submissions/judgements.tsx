import { useTranslation } from 'react-i18next'
import type { JudgementSummary } from '#contract/submissions'
import { TimeText } from '../../components/display/time-text.tsx'
import { ScoreText } from '../../components/judging/score-text.tsx'
import { VerdictBadge } from '../../components/judging/verdict-badge.tsx'
import { TableBox } from '../../components/lists/table-box.tsx'
import { MeasureCells, MeasureHeads } from './measure-cells.tsx'

/** Every judgement of the submission, newest first. */
export function Judgements({ judgements }: { judgements: JudgementSummary[] }) {
  const { t } = useTranslation()
  return (
    <TableBox className="app-cards">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('submission.queuedAt')}</th>
            <th scope="col">{t('submission.verdict')}</th>
            <th scope="col" className="numeric">
              {t('submission.score')}
            </th>
            <MeasureHeads />
          </tr>
        </thead>
        <tbody>
          {judgements.map((item) => (
            <tr key={item.judgementId}>
              <td data-label={t('submission.queuedAt')}>
                <TimeText at={item.queuedAt} />
              </td>
              <td data-wide={item.reason ? true : undefined}>
                <VerdictBadge status={item.status} />
                {item.reason ? <div>{item.reason}</div> : null}
              </td>
              <td className="numeric" data-label={t('submission.score')}>
                <ScoreText score={item.score} />
              </td>
              <MeasureCells runTimeMs={item.runTime} memoryKb={item.memoryUsage} />
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}
