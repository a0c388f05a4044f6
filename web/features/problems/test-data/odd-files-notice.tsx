import { Alert, Button, Code, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ODDITIES, type Oddity } from '../../../lib/files/oddities.ts'

/** For each oddity, at most this many files are named. */
const MOST_NAMED = 5

interface OddFilesNoticeProps {
  files: { name: string; oddities: Oddity[] }[]
  isConverting?: boolean
  onConvert: () => void
}

/** Names the files of test data that have invisible parts, with the button that removes these. */
export function OddFilesNotice({ files, isConverting = false, onConvert }: OddFilesNoticeProps) {
  const { t } = useTranslation()
  if (files.length === 0) return null
  return (
    <Alert color="yellow">
      {ODDITIES.map((oddity) => {
        const names = files
          .filter(({ oddities }) => oddities.includes(oddity))
          .map(({ name }) => name)
        return names.length === 0 ? null : (
          <Text key={oddity} size="sm">
            {t(`oddFiles.${oddity}`, { count: names.length })}{' '}
            {names.slice(0, MOST_NAMED).map((name, index) => (
              // A zip may hold a name twice.
              <Code key={index}>{name}</Code>
            ))}
            {names.length > MOST_NAMED
              ? ` ${t('testData.more', { count: names.length - MOST_NAMED })}`
              : ''}
          </Text>
        )
      })}
      <Text size="sm">{t('oddFiles.help')}</Text>
      <Button mt="xs" size="xs" variant="default" loading={isConverting} onClick={onConvert}>
        {t('oddFiles.convert')}
      </Button>
    </Alert>
  )
}
