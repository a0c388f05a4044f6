import { Radio, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shown, type GradebookColumn, type Shown } from '#contract/gradebook'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { call } from '../../lib/api/call.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshMarks } from '../../lib/queries/marks.ts'

interface ShowFormProps {
  column: GradebookColumn
  onClose: () => void
}

/** Says when students see the marks of a column, and who is told. */
export function ShowForm({ column, onClose }: ShowFormProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const [chosen, setChosen] = useState<Shown>(column.shown)
  const saving = useMutation({
    mutationFn: () =>
      call('PUT /course/:name/gradebook/:columnId/shown', {
        params: { name: course, columnId: column.id },
        body: { shown: chosen },
      }),
    onSuccess: async () => {
      await refreshMarks()
      onClose()
    },
  })
  const choices = shown.options.filter(
    (option) => option !== 'atClosing' || column.kind === 'homework',
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Stack>
        <Radio.Group
          label={t('gradebook.grid.show.when')}
          value={chosen}
          onChange={(value) => setChosen(value)}
        >
          <Stack gap={8} mt={8}>
            {choices.map((value) => (
              <Radio key={value} value={value} label={t(`gradebook.grid.shown.${value}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Text component="output" size="sm">
          {t(`gradebook.grid.show.then.${chosen}`)}
        </Text>
        <FormError error={saving.error} />
        <FormButtons
          label={t(`gradebook.grid.show.do.${chosen}`)}
          isSending={saving.isPending}
          disabled={chosen === column.shown}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
