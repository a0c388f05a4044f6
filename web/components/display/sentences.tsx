import { Text } from '@mantine/core'
import { useLocale } from '../../lib/format/i18n.ts'
import { LOCALES } from '../../lib/format/locale.ts'

/** Sentences one after another, as the reader's language writes them. */
export function Sentences({ sentences }: { sentences: readonly string[] }) {
  const { sentenceGap } = LOCALES[useLocale()]
  return (
    <Text component="output" display="block" size="sm" c="dimmed">
      {sentences.join(sentenceGap)}
    </Text>
  )
}
