import { useTranslation } from 'react-i18next'
import type { JudgementSummary } from '#contract/submissions'
import { TimeText } from '../../components/time-text.tsx'
import { VerdictBadge } from '../../components/verdict-badge.tsx'
import { TableBox } from '../../components/table-box.tsx'
import { MeasureCells, MeasureHeads } from './measure-cells.tsx'

/** Every judgement of the submission, newest first. */
export function Judgements({ judgements }: { judgements: JudgementSummary[] }) {
  const { t } = useTranslation()
  return (
    <TableBox>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('submission.when')}</th>
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
              <td>
                <TimeText at={item.queuedAt} />
              </td>
              <td>
                <VerdictBadge status={item.status} />
                {item.reason ? <div>{item.reason}</div> : null}
              </td>
              <td className="numeric">{item.score}</td>
              <MeasureCells runTime={item.runTime} memoryUsage={item.memoryUsage} />
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}
