import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { newAnnouncement } from '#contract/announcements'
import { TEXT_LIMITS } from '#contract/limits'
import { MarkdownField } from '../../components/markdown-field.tsx'
import { SaveError } from '../../components/save-error.tsx'
import { useSchemaValidation } from '../../lib/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { useLeaveWarning } from '../../lib/leave-warning.ts'

export interface AnnouncementValues {
  title: string
  pinned: boolean
  markdown: string
}

interface AnnouncementFormProps {
  initial: AnnouncementValues
  cancelTo: string
  /** Stores and leaves the page. `overwrite`: whatever anybody else has saved since. */
  onSave: (values: AnnouncementValues, overwrite: boolean) => Promise<void>
}

/** The form of new and edited announcements (spec §3). */
export function AnnouncementForm({ initial, cancelTo, onSave }: AnnouncementFormProps) {
  const { t } = useTranslation()
  const saved = useRef(false)
  const form = useForm<AnnouncementValues>({
    initialValues: initial,
    validate: useSchemaValidation<AnnouncementValues>(newAnnouncement, (values) => values),
  })
  const save = useMutation({
    mutationFn: async ({
      values,
      overwrite,
    }: {
      values: AnnouncementValues
      overwrite: boolean
    }) => {
      saved.current = true
      await onSave(values, overwrite)
    },
    onError: () => {
      saved.current = false
    },
  })
  const dirty = form.isDirty()
  useLeaveWarning(useCallback(() => dirty && !saved.current, [dirty]))
  return (
    <form
      onSubmit={form.onSubmit(
        (values) => save.mutate({ values, overwrite: false }),
        () => focusFirstInvalid(),
      )}
      noValidate
    >
      <Stack className="app-card" p="lg">
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
        />
        {save.isError ? (
          <SaveError
            error={save.error}
            storedAt={cancelTo}
            onOverwrite={() => save.mutate({ values: form.values, overwrite: true })}
          />
        ) : null}
        <Group justify="flex-end">
          <Button component={Link} to={cancelTo} variant="default">
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
