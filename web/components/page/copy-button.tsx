import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** A button that copies a text exactly; `label` says what it copies. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1_500 })
  const shown = clipboard.copied ? t('common.copied') : label
  return (
    <ActionIcon aria-label={shown} title={shown} onClick={() => clipboard.copy(text)}>
      {clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
    </ActionIcon>
  )
}
