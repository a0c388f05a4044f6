/** Asks before a page with unsaved changes is left. */
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { askToConfirm } from '../confirm.ts'

const open = new Set<() => boolean>()

/** Whether any form on the page holds unsaved changes. */
export function hasUnsavedChanges(): boolean {
  return [...open].some((unsaved) => unsaved())
}

/** Asks before a page with unsaved changes is left; used once, by the app's layout. */
export function useLeaveQuestion(): void {
  const { t } = useTranslation()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      // A page replaces itself in the history only after saving, or when its subject is gone.
      historyAction !== 'REPLACE' &&
      currentLocation.pathname !== nextLocation.pathname &&
      hasUnsavedChanges(),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    let isCurrent = true
    async function ask() {
      const isSure = await askToConfirm({
        title: t('common.unsaved.title'),
        text: t('common.unsaved.text'),
        label: t('common.unsaved.label'),
        keepLabel: t('common.unsaved.keep'),
      })
      if (!isCurrent) return
      if (isSure) blocker.proceed?.()
      else blocker.reset?.()
    }
    void ask()
    return () => {
      isCurrent = false
    }
  }, [blocker, t])
}

/** @param unsaved called when the page is left, so that a form that has just been saved does not ask */
export function useLeaveWarning(unsaved: () => boolean): void {
  useEffect(() => {
    open.add(unsaved)
    function warn(event: BeforeUnloadEvent) {
      if (unsaved()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => {
      open.delete(unsaved)
      window.removeEventListener('beforeunload', warn)
    }
  }, [unsaved])
}
