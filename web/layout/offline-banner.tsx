import { IconCloudOff } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { connectionState, onConnectionChange } from '../lib/connection.ts'
import classes from './notices.module.css'

/** Says that the server cannot be reached, and that nothing typed is lost. */
export function OfflineBanner() {
  const { t } = useTranslation()
  const { offline } = useSyncExternalStore(onConnectionChange, connectionState)
  return (
    <output className={classes.bannerPlace}>
      {offline ? (
        <div className={classes.banner}>
          <IconCloudOff size={18} aria-hidden="true" />
          {t('common.offline')}
        </div>
      ) : null}
    </output>
  )
}
