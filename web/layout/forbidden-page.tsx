import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { WayBackPage } from './not-found-page.tsx'

/** A page that the user may not see. */
export function ForbiddenPage() {
  const { t } = useTranslation()
  return <WayBackPage title={t('forbidden.title')} Icon={IconLock} text={t('error.forbidden')} />
}
