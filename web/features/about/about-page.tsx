import { Anchor, List, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Page } from '../../components/page/page.tsx'
import { apiUrl } from '../../lib/api/api.ts'
import { PRODUCT_NAME } from '#contract/product'
import { paths } from '../../paths.ts'
import { People } from './people.tsx'
import { ServerVersion } from './server-version.tsx'

/** `/about`: description, versions, links, people and licences. */
export function AboutPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('about.title', { product: PRODUCT_NAME })}>
      <Stack gap="xl" maw={720}>
        <Text>{t('about.what', { product: PRODUCT_NAME })}</Text>
        <section>
          <Title order={2} mb="xs">
            {t('about.version')}
          </Title>
          <Text size="sm">{t('about.appVersion', { version: __APP_VERSION__ })}</Text>
          <ServerVersion />
        </section>
        <section>
          <Title order={2} mb="xs">
            {t('about.links')}
          </Title>
          <List size="sm" spacing="xs">
            <List.Item>
              <Anchor component={Link} to={paths.help('students-guide')} inherit underline="always">
                {t('nav.help')}
              </Anchor>
            </List.Item>
            <List.Item>
              <Anchor href={apiUrl('/docs')} inherit underline="always">
                {t('about.apiDocs')}
              </Anchor>
            </List.Item>
            <List.Item>
              <Anchor href={apiUrl('/openapi.json')} inherit underline="always">
                {t('about.openApi')}
              </Anchor>
            </List.Item>
          </List>
        </section>
        <People kind="maintainers" />
        <People kind="contributors" />
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
