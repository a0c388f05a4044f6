import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'

/** `/unsubscribe`: ends the mails with notices, by the token of a mail. */
export function UnsubscribePage() {
  const { t } = useTranslation()
  return <Page title={t('notices.unsubscribe')}>{null}</Page>
}
