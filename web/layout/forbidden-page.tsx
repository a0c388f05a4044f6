import { IconLock } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { removeEarlyCode } from '../lib/drafts/early-code.ts'
import { WayBackPage } from './not-found-page.tsx'

/** A page that the user may not see. */
export function ForbiddenPage() {
  const { t } = useTranslation()
  // The page does not take over the text field that stands there before the app is loaded.
  useEffect(removeEarlyCode, [])
  return <WayBackPage title={t('forbidden.title')} Icon={IconLock} text={t('error.forbidden')} />
}
