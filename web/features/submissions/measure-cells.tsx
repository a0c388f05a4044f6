import { useTranslation } from 'react-i18next'
import { memoryText, timeText } from '../../lib/measures.ts'

/** Heads of the columns that `MeasureCells` fills. */
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

/** What a case, a judgement or a submission used. Time in ms, memory in KB; null where nothing was measured. */
export function MeasureCells(props: { runTimeMs: number | null; memoryKb: number | null }) {
  return (
    <>
      <td className="numeric">{timeText(props.runTimeMs)}</td>
      <td className="numeric">{memoryText(props.memoryKb)}</td>
    </>
  )
}
