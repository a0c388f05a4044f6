import { Box, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { Page } from '../components/page/page.tsx'
import { useErrorText } from '../lib/api/error-text.ts'
import { useFailedPage } from '../lib/drafts/failed-page.ts'
import { paths } from '../paths.ts'

/** Shown when a page throws or cannot be loaded. Both buttons load the app anew. */
export function RouteError() {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const error = useRouteError()
  useFailedPage()
  return (
    <Page title={t('common.wrong')}>
      <Text role="alert">{errorText(error)}</Text>
      <Group mt="md">
        <Button onClick={() => window.location.reload()}>{t('common.retry')}</Button>
        <Button component="a" href={paths.home()} variant="default">
          {t('notFound.back')}
        </Button>
      </Group>
    </Page>
  )
}

/** The same error page, for when not even the app's frame could be shown. */
export function RootError() {
  return (
    <Box component="main" p="lg">
      <RouteError />
    </Box>
  )
}
