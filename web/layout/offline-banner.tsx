import { IconCloudOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../lib/api/call.ts'
import { useOnline } from '../lib/api/connection.ts'
import classes from './notices.module.css'

/** Poll interval of an unreachable server. */
const ASK_AGAIN_MS = 5_000

/** Says that the server cannot be reached, and that no input is lost. */
export function OfflineBanner() {
  const { t } = useTranslation()
  const isOnline = useOnline()
  useEffect(() => {
    if (isOnline) return
    const timer = setInterval(() => {
      // Any answer removes the banner.
      call('GET /health').catch(() => undefined)
    }, ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isOnline])
  return (
    <output className={classes.bannerSlot}>
      {isOnline ? null : (
        <div className={classes.banner}>
          <IconCloudOff size={18} aria-hidden="true" />
          {t('common.offline')}
        </div>
      )}
    </output>
  )
}
