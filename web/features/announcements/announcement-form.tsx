import { Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { newAnnouncement } from '#contract/announcements'
import { TEXT_LIMITS } from '#contract/limits'
import { MarkdownField } from '../../components/markdown/markdown-field.tsx'
import { SavedForm } from '../../components/forms/saved-form.tsx'
import { useSchemaValidation } from '../../lib/api/field-text.ts'

export type AnnouncementValues = {
  title: string
  pinned: boolean
  markdown: string
}

interface AnnouncementFormProps {
  initial: AnnouncementValues
  cancelTo: string
  /** Saves the form and leaves the page. `overwrite`: saves even if another person has saved since the form was opened. */
  onSave: (values: AnnouncementValues, overwrite: boolean) => Promise<void>
}

/** The form of new and edited announcements. */
export function AnnouncementForm({ initial, cancelTo, onSave }: AnnouncementFormProps) {
  const { t } = useTranslation()
  const form = useForm<AnnouncementValues>({
    initialValues: initial,
    validate: useSchemaValidation<AnnouncementValues>(newAnnouncement, (values) => values),
  })
  return (
    <SavedForm form={form} cancelTo={cancelTo} onSave={onSave}>
      <TextInput
        label={t('announcements.titleField')}
        withAsterisk
        maxLength={TEXT_LIMITS.announcementTitle}
        {...form.getInputProps('title')}
      />
      <Checkbox
        label={t('announcements.pinField')}
        {...form.getInputProps('pinned', { type: 'checkbox' })}
      />
      <MarkdownField
        below={1}
        label={t('announcements.textField')}
        minRows={10}
        value={form.values.markdown}
        onChange={(value) => form.setFieldValue('markdown', value)}
        error={form.errors.markdown}
        notesImages
      />
    </SavedForm>
  )
}
