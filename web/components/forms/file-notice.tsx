import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/format/format.ts'
import type { TextFile } from '../../lib/files/use-text-file.ts'
import { FormError } from './form-error.tsx'

interface FileNoticeProps {
  file: Pick<TextFile, 'name' | 'data' | 'error'>
  /** Whether the notice also says that Windows line ends were replaced by plain ones. */
  namesLineEnds?: boolean
}

/** Says how the last picked file was read as text, or why it was not and what helps. */
export function FileNotice({ file: { name, data, error }, namesLineEnds }: FileNoticeProps) {
  const { t } = useTranslation()
  const notRead = data && 'kind' in data ? data : null
  const read = data && !('kind' in data) ? data : null
  const notes = [
    read?.encoding && t('textFile.readAs', { name, encoding: read.encoding }),
    namesLineEnds && read?.hadWindowsEnds && t('textFile.plainEnds', { name }),
  ].filter(Boolean)
  const refusal = notRead && {
    name,
    ...(notRead.kind === 'tooLarge'
      ? { limit: formatBytes(notRead.limitBytes) }
      : { format: notRead.format }),
  }
  const isEmpty = notes.length === 0 && refusal === null && error === null
  return (
    // Rendered before its text arrives, else screen readers miss it; takes no room while empty.
    <div style={isEmpty ? { position: 'absolute' } : undefined}>
      <Text component="output" size="sm" c="dimmed">
        {notes.join(' ')}
      </Text>
      <FormError error={error}>
        {notRead && refusal ? t(`textFile.${notRead.kind}`, refusal) : null}
      </FormError>
    </div>
  )
}
