import { Button, Stack, Text, Textarea } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { COUNT_LIMITS } from '#contract/limits'
import classes from '../edit/problem-form.module.css'
import type { TypedCase } from '../edit/subtask-values.ts'
import { isEmptyCase } from './typed-cases.ts'

interface TypedCaseFieldsProps {
  /** The subtask's number. */
  number: number
  cases: TypedCase[]
  /** Whether empty cases are marked as errors. */
  isChecked: boolean
  onChange: (cases: TypedCase[]) => void
}

/** The cases of a subtask as text fields. */
export function TypedCaseFields({ number, cases, isChecked, onChange }: TypedCaseFieldsProps) {
  const { t } = useTranslation()
  return (
    <Stack gap={12} style={{ gridColumn: '1 / -1' }}>
      {cases.map((each, index) => (
        // Cases are identified by their position.
        <div key={index} className={classes.sample}>
          {(['input', 'output'] as const).map((side) => (
            <Textarea
              key={side}
              label={t(`typedCases.${side}`, { subtask: number, case: index })}
              autosize
              minRows={2}
              maxRows={14}
              classNames={{ input: 'mono' }}
              value={each[side]}
              onChange={({ currentTarget }) =>
                onChange(cases.with(index, { ...each, [side]: currentTarget.value }))
              }
              error={isChecked && isEmptyCase(each) ? t('typedCases.empty') : null}
            />
          ))}
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconTrash size={15} aria-hidden="true" />}
            aria-label={t('typedCases.removeOf', { subtask: number, case: index })}
            onClick={() => onChange(cases.toSpliced(index, 1))}
          >
            {t('problemForm.removeRow')}
          </Button>
        </div>
      ))}
      {cases.length === 0 ? <Text size="sm">{t('typedCases.none')}</Text> : null}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} aria-hidden="true" />}
          aria-label={t('typedCases.addTo', { subtask: number })}
          disabled={cases.length >= COUNT_LIMITS.casesPerSubtask}
          onClick={() => onChange([...cases, { input: '', output: '' }])}
        >
          {t('typedCases.add')}
        </Button>
      </div>
    </Stack>
  )
}
