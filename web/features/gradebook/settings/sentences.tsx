import { Text } from '@mantine/core'
import { useLocale } from '../../../lib/format/i18n.ts'

/** Sentences one after another, as the reader's language writes them. */
export function Sentences({ sentences }: { sentences: readonly string[] }) {
  const isEnglish = useLocale() === 'english'
  return (
    <Text component="output" display="block" size="sm" c="dimmed">
      {sentences.join(isEnglish ? ' ' : '')}
    </Text>
  )
}
