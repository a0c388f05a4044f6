import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { health } from '#contract/installation/health'
import { call } from '../../lib/api/call.ts'
import { ErrorBox } from '../../components/feedback/error-box.tsx'

/** The server's version and number of runners. */
export function ServerVersion() {
  const { t } = useTranslation()
  const server = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => call('GET /health', { signal, as: health }),
  })
  if (server.isPending) return <Skeleton height={44} maw={280} />
  if (server.isLoadingError) return <ErrorBox of={server} />
  return (
    <>
      <Text size="sm">{t('about.apiVersion', { version: server.data.version })}</Text>
      <Text size="sm">{t('about.runners', { count: server.data.runners })}</Text>
    </>
  )
}
