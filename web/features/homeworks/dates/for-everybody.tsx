import { Group, Text } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { HomeworkDatesTable } from '#contract/homework-overrides'
import type { Homework } from '#contract/homeworks'
import { OpenedExtension } from '../../../components/homeworks/opened-extension.tsx'
import { DialogButton } from '../../../components/overlays/dialog-button.tsx'
import { Section } from '../../../components/page/section.tsx'
import { TimeText } from '../../../components/display/time-text.tsx'
import { ChangedBy, useSpecialText } from './special-text.tsx'

interface ForEverybodyProps {
  homework: Homework
  table: HomeworkDatesTable
}

/** The dates for all, and the button that changes them. */
export function ForEverybody({ homework: { id, own }, table: { forAll } }: ForEverybodyProps) {
  const { t } = useTranslation()
  const special = useSpecialText()
  return (
    <Section
      title={t('dates.forEverybody')}
      actions={
        <DialogButton
          label={t('dates.changeForEverybody')}
          icon={<IconCalendarPlus size={16} aria-hidden="true" />}
          size="lg"
        >
          {(close) => <OpenedExtension homeworkId={id} whose="everybody" onClose={close} />}
        </DialogButton>
      }
    >
      <Group gap="2px 24px" fz="sm">
        <span>
          {t('dates.opens')} <TimeText at={own.opens} withZone />
        </span>
        <span>
          {t('dates.due')} <TimeText at={own.due} isDeadline />
        </span>
        <span>
          {t('dates.closes')} <TimeText at={own.closes} isDeadline />
        </span>
        {forAll === null ? null : <span>{special(forAll)}</span>}
      </Group>
      {forAll === null ? null : (
        <Text size="sm" mt="xs" component="div">
          {forAll.reason} <ChangedBy override={forAll} />
        </Text>
      )}
    </Section>
  )
}
