import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/languages'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import classes from './submit-page.module.css'

const OpenedHelp = lazy(async () => ({
  default: (await import('./opened-help.tsx')).OpenedHelp,
}))

/** The keys of the editor and, once opened, further help. */
export function EditorHelp({ isOpen, language }: { isOpen: boolean; language: Language | null }) {
  const { t } = useTranslation()
  return (
    <div id="editor-help" hidden={!isOpen} className={classes.help}>
      {/* This text describes the editor to screen readers even while it is hidden. */}
      <p id="editor-keys" className={classes.hint}>
        {t('submit.keys')}
      </p>
      {isOpen ? (
        <FallbackBoundary fallback={<p className={classes.hint}>{t('common.wrong')}</p>}>
          <OpenedHelp language={language} />
        </FallbackBoundary>
      ) : null}
    </div>
  )
}
