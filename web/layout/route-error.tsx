import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { ErrorBox } from '../components/error-box.tsx'
import { Page } from '../components/page.tsx'

/** Shown when a page throws or cannot be loaded. */
export function RouteError() {
  const { t } = useTranslation()
  const error = useRouteError()
  return (
    <Page title={t('common.wrong')}>
      <ErrorBox of={{ error, refetch: () => window.location.reload() }} />
    </Page>
  )
}
