import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'

/** `/notices`: what is new in the user's courses, and how the user hears of it. */
export function NoticesPage() {
  const { t } = useTranslation()
  return <Page title={t('nav.notices')}>{null}</Page>
}
