import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { health } from '#contract/health'
import { Page } from '../../components/page.tsx'
import { callApi } from '../../lib/api.ts'
import { PRODUCT_NAME } from '../../lib/product.ts'

/** `/about`: what this is, its version, and the licences of what it is made of. */
export function AboutPage() {
  const { t } = useTranslation()
  const server = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => callApi('/health', health, { signal }),
  })
  return (
    <Page title={t('about.title', { product: PRODUCT_NAME })}>
      <Stack gap="xl" maw={720}>
        <Text>{t('about.what', { product: PRODUCT_NAME })}</Text>
        <section>
          <Title order={2} mb="xs">
            {t('about.version')}
          </Title>
          <Text size="sm">{t('about.appVersion', { version: __APP_VERSION__ })}</Text>
          {server.data ? (
            <>
              <Text size="sm">{t('about.apiVersion', { version: server.data.version })}</Text>
              <Text size="sm">{t('about.runners', { count: server.data.runners })}</Text>
            </>
          ) : null}
        </section>
        <section>
          <Title order={2} mb="xs">
            {t('about.licences')}
          </Title>
          <Text size="sm">
            {t('about.licenceText', { product: PRODUCT_NAME })}{' '}
            <Anchor href="/licenses.txt" inherit underline="always">
              {t('about.licenceLink')}
            </Anchor>
          </Text>
        </section>
      </Stack>
    </Page>
  )
}
