import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Page } from '../../components/page/page.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { Section } from '../../components/page/section.tsx'
import { setupQuery } from '../../lib/queries/setup.ts'
import { paths } from '../../paths.ts'
import { SetupList } from './setup-list.tsx'

/** Poll interval in ms: a host or the cron may become ready at any time. */
const POLL_MS = 15_000

/** `/admin/setup`: what the installation still needs. */
export function SetupPage() {
  const { t } = useTranslation()
  const setup = useQuery({ ...setupQuery, refetchInterval: POLL_MS })
  return (
    <Page title={t('admin.setup')} crumbs={[{ label: t('nav.admin'), to: paths.admin() }]}>
      {setup.isLoadingError ? (
        <ErrorBox of={setup} />
      ) : (
        <Section title={t('nav.setup')} help={t('setup.about')}>
          {setup.isPending ? (
            <RowsSkeleton rows={10} height={58} />
          ) : (
            <SetupList items={setup.data} />
          )}
        </Section>
      )}
    </Page>
  )
}
