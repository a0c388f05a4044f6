import { Checkbox, NativeSelect, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { Sentences } from '../../../components/display/sentences.tsx'
import { useNumberText } from '../../../lib/format/number-text.ts'
import { SettingsNumber } from './number-input.tsx'
import { totalSentences } from './rule-sentences.ts'
import classes from './settings.module.css'
import type { SettingsValues } from './settings-values.ts'

const DECIMALS = [0, 1, 2] as const

/** How the total is made, and what that means. */
export function TotalFields({ form }: { form: UseFormReturnType<SettingsValues> }) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  const { decimals } = form.values.total
  return (
    <Stack gap={12}>
      <div className={classes.fields}>
        <SettingsNumber
          form={form}
          path="total.outOf"
          label={t('gradebook.settings.outOf')}
          placeholder={t('gradebook.settings.asWeights')}
          max={GRADEBOOK_LIMITS.points}
          isPoints
        />
        <NativeSelect
          label={t('gradebook.settings.decimals')}
          data={DECIMALS.map(String)}
          value={String(decimals)}
          onChange={({ currentTarget }) => {
            const chosen = DECIMALS.find((each) => String(each) === currentTarget.value)
            if (chosen !== undefined) form.setFieldValue('total.decimals', chosen)
          }}
        />
      </div>
      <Checkbox
        label={t('gradebook.settings.forAssistants')}
        {...form.getInputProps('total.forAssistants', { type: 'checkbox' })}
      />
      <Sentences sentences={totalSentences(form.values, t, points)} />
    </Stack>
  )
}
