import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface SavedTextProps {
  isSaved: boolean
  /** What is odd about the saved marks. */
  warning?: string
  /** Takes the change back; null: nothing can be taken back. */
  onUndo: (() => void) | null
}

/** "Saved.", with the way back. */
export function SavedText({ isSaved, warning = '', onUndo }: SavedTextProps) {
  const { t } = useTranslation()
  return (
    <Group gap={6}>
      <Text component="output" size="sm">
        {isSaved ? `${t('common.saved')} ${warning}` : ''}
      </Text>
      {isSaved && onUndo ? (
        <Button size="compact-sm" variant="subtle" onClick={onUndo}>
          {t('common.undo')}
        </Button>
      ) : null}
    </Group>
  )
}
