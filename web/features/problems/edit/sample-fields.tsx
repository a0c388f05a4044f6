import { Button, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { COUNT_LIMITS } from '#contract/limits'
import type { ProblemValues } from './form-values.ts'
import classes from './problem-form.module.css'

/** Each field of the form, with the field of the contract whose errors it shows. */
const SIDES = [
  ['input', 'sampleInput'],
  ['output', 'sampleOutput'],
] as const

/** Sample inputs and outputs; empty rows are not saved. */
export function SampleFields({ form }: { form: UseFormReturnType<ProblemValues> }) {
  const { t } = useTranslation()
  return (
    <>
      {form.values.samples.map((_, index) => (
        // Rows are identified by their position.
        <div key={index} className={classes.sample}>
          {SIDES.map(([side, field]) => {
            const label = t(`problemForm.${field}`, { number: index + 1 })
            const error = form.errors[`description.${field}.${index}`]
            return (
              <Textarea
                key={side}
                label={label}
                autosize
                minRows={2}
                maxRows={14}
                classNames={{ input: 'mono' }}
                {...form.getInputProps(`samples.${index}.${side}`)}
                error={typeof error === 'string' ? `${label}: ${error}` : error}
              />
            )
          })}
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconTrash size={15} aria-hidden="true" />}
            aria-label={t('problemForm.removeSampleOf', { number: index + 1 })}
            onClick={() => form.removeListItem('samples', index)}
          >
            {t('problemForm.removeRow')}
          </Button>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} aria-hidden="true" />}
          disabled={form.values.samples.length >= COUNT_LIMITS.samples}
          onClick={() => form.insertListItem('samples', { input: '', output: '' })}
        >
          {t('problemForm.addSample')}
        </Button>
      </div>
    </>
  )
}
