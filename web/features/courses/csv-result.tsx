import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { BatchSignupResult } from '#contract/auth'
import type { FieldError } from '#contract/errors'
import { TableBox } from '../../components/table-box.tsx'
import { useFieldText } from '../../lib/field-text.ts'
import classes from './members-page.module.css'

/** The most rows shown; a file may have thousands. */
const SHOWN = 200

/** The column of a fault, and what is wrong with it. */
function useFaultText(): (fault: FieldError) => string {
  const fieldText = useFieldText()
  return (fault) =>
    [fault.path.join('.'), fieldText(fault)].filter((part) => part !== '').join(': ')
}

interface CsvResultProps {
  result: BatchSignupResult
  /** Nothing has been stored yet. */
  isChecked: boolean
}

/** The outcome of each row of the file; only the bad rows if there are any. */
export function CsvResult({ result, isChecked }: CsvResultProps) {
  const { t } = useTranslation()
  const faultText = useFaultText()
  const bad = result.rows.filter(({ action }) => action === 'error')
  const rows = bad.length > 0 ? bad : result.rows
  const { created, updated, enrolled, unchanged } = result
  return (
    <>
      <Text size="sm" mb="xs">
        {bad.length > 0
          ? t('csv.refused')
          : t(isChecked ? 'csv.wouldDo' : 'csv.done', { created, updated, enrolled, unchanged })}
      </Text>
      <TableBox>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('csv.line')}</th>
              <th scope="col">{t('profile.username')}</th>
              <th scope="col">{t('csv.outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN).map((row) => (
              <tr key={row.line}>
                <td>{row.line}</td>
                <td className="mono">{row.username}</td>
                <td className={row.action === 'error' ? classes.bad : undefined}>
                  {row.faults
                    ? row.faults.map(faultText).join('; ')
                    : t(`csv.action.${row.action}`)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {rows.length > SHOWN ? (
        <Text size="sm" mt="xs">
          {t('testData.more', { count: rows.length - SHOWN })}
        </Text>
      ) : null}
    </>
  )
}
