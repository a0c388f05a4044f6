import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unreportedFailure } from '../lib/api/query-client.ts'
import classes from './notices.module.css'

/** How long the server-error toast stays, in ms. */
export const TOAST_MS = 2_400

/**
 * The toast after an answer with status ≥ 500 that nothing else on the page reports, shown for 2400 ms after the newest
 * such answer.
 */
export function ServerToast() {
  const { t } = useTranslation()
  const failure = unreportedFailure.use()
  const [gone, setGone] = useState<typeof failure>(null)
  useEffect(() => {
    const timer = setTimeout(() => setGone(failure), TOAST_MS)
    return () => clearTimeout(timer)
  }, [failure])
  return (
    <div role="alert" className={classes.toastSlot}>
      {failure === gone ? null : (
        <div className={classes.toast}>
          <IconAlertTriangle size={18} aria-hidden="true" />
          {t('common.serverFailure')}
        </div>
      )}
    </div>
  )
}
