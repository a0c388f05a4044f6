import { useTranslation } from 'react-i18next'
import { memoryText, timeText } from '../../lib/format/measures.ts'

/** The headers of the columns that `MeasureCells` fills. */
export function MeasureHeads() {
  const { t } = useTranslation()
  return (
    <>
      <th scope="col" className="numeric">
        {t('submission.runTime')}
      </th>
      <th scope="col" className="numeric">
        {t('submission.memory')}
      </th>
    </>
  )
}

/** Run time in ms and memory in KB of a case, judgement or submission; null if not measured. */
export function MeasureCells(props: { runTimeMs: number | null; memoryKb: number | null }) {
  return (
    <>
      <td className="numeric">{timeText(props.runTimeMs)}</td>
      <td className="numeric">{memoryText(props.memoryKb)}</td>
    </>
  )
}
