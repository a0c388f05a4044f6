import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { GradebookColumn } from '#contract/gradebook'
import { FormError } from '../../../components/forms/form-error.tsx'
import { Section } from '../../../components/page/section.tsx'
import { call } from '../../../lib/api/call.ts'
import { askToConfirm } from '../../../lib/confirm.ts'
import { useCourse } from '../../../lib/queries/course.ts'
import { refreshMarks } from '../../../lib/queries/marks.ts'

interface ShownTotalProps {
  total: GradebookColumn
  /** Called once it is stored and read again. */
  onStored: () => void
}

/** Whether students see the total, with the button that changes this at once. */
export function ShownTotal({ total, onStored }: ShownTotalProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const isShown = total.shown !== 'no'
  const changing = useMutation({
    mutationFn: async () => {
      const isSure =
        isShown ||
        (await askToConfirm({
          title: t('gradebook.settings.show.title'),
          text: t('gradebook.settings.show.text'),
          label: t('gradebook.settings.show.label'),
          isHarmless: true,
        }))
      if (!isSure) return
      await call('PUT /course/:name/gradebook/:columnId/shown', {
        params: { name: course, columnId: total.id },
        body: { shown: isShown ? 'no' : 'yes' },
      })
      await refreshMarks()
      onStored()
    },
  })
  return (
    <Section title={t('gradebook.settings.show.heading')}>
      <Group>
        <Text component="output" size="sm">
          {t(isShown ? 'gradebook.settings.show.isShown' : 'gradebook.settings.show.isHidden')}
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={changing.isPending}
          onClick={() => changing.mutate()}
        >
          {t(isShown ? 'gradebook.settings.show.hide' : 'gradebook.settings.show.label')}
        </Button>
      </Group>
      <FormError error={changing.error} />
    </Section>
  )
}
