import { Checkbox, Group, NumberInput, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '#contract/languages'
import { QUOTA_MAX, TEXT_LIMITS } from '#contract/limits'
import type { ProblemValues } from './form-values.ts'

/** The first error of any tag, because one field holds all tags. */
function tagError(errors: Record<string, unknown>): string | null {
  const found = Object.entries(errors).find(([path]) => path === 'tags' || path.startsWith('tags.'))
  return found ? String(found[1]) : null
}

/** Name, visibility, quota, tags and languages. */
export function BasicFields({ form }: { form: UseFormReturnType<ProblemValues> }) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('problemForm.name')}
        withAsterisk
        maxLength={TEXT_LIMITS.problemName}
        {...form.getInputProps('problemName')}
      />
      <Switch
        label={t('problemForm.hidden')}
        description={t('problemForm.hiddenHelp')}
        {...form.getInputProps('hidden', { type: 'checkbox' })}
      />
      <Group align="flex-end" gap="lg">
        <NumberInput
          label={t('problemForm.quota')}
          description={t('problemForm.quotaHelp')}
          min={0}
          max={QUOTA_MAX}
          allowDecimal={false}
          disabled={form.values.unlimited}
          w={230}
          {...form.getInputProps('quota')}
        />
        <Checkbox
          mb={8}
          label={t('problemForm.unlimited')}
          {...form.getInputProps('unlimited', { type: 'checkbox' })}
        />
      </Group>
      <TextInput
        label={t('problemForm.tags')}
        description={t('problemForm.tagsHelp')}
        {...form.getInputProps('tags')}
        error={tagError(form.errors)}
      />
      <Checkbox.Group
        label={t('problemForm.languages')}
        withAsterisk
        {...form.getInputProps('languages')}
        error={form.errors.allowedLanguage ? t('problemForm.noLanguage') : null}
      >
        <Group mt="xs">
          {LANGUAGES.map((language) => (
            <Checkbox key={language.code} value={String(language.code)} label={language.label} />
          ))}
        </Group>
      </Checkbox.Group>
    </>
  )
}
