import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TOAST_MS } from '#contract/limits'
import { connection } from '../lib/connection.ts'
import classes from './notices.module.css'

/** The toast after any answer with status ≥ 500, shown for 2400 ms after the newest one. */
export function ServerToast() {
  const { t } = useTranslation()
  const { failures } = connection.use()
  const seen = useRef(0)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (failures === seen.current) return
    seen.current = failures
    setShown(true)
    const timer = setTimeout(() => setShown(false), TOAST_MS)
    return () => clearTimeout(timer)
  }, [failures])
  return (
    <div role="alert" className={classes.toastSlot}>
      {shown ? (
        <div className={classes.toast}>
          <IconAlertTriangle size={18} aria-hidden="true" />
          {t('common.serverFailure')}
        </div>
      ) : null}
    </div>
  )
}
