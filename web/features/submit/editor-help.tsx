import { Switch } from '@mantine/core'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/languages'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import { changeEditorSettings, useEditorSettings } from '../../lib/drafts/editor-settings.ts'
import classes from './submit-page.module.css'

const HowCompiled = lazy(async () => ({
  default: (await import('./how-compiled.tsx')).HowCompiled,
}))

/** The keys of the editor, the field for screen readers, and how a language is compiled. */
export function EditorHelp({ isOpen, language }: { isOpen: boolean; language: Language | null }) {
  const { t } = useTranslation()
  const { plain } = useEditorSettings()
  return (
    <div id="editor-help" hidden={!isOpen} className={classes.help}>
      {/* Also hidden, it describes the editor. */}
      <p id="editor-keys" className={classes.hint}>
        {t('submit.keys')}
      </p>
      <Switch
        size="xs"
        label={t('submit.plain')}
        checked={plain}
        onChange={(event) => changeEditorSettings({ plain: event.currentTarget.checked })}
      />
      {language && isOpen ? (
        <FallbackBoundary fallback={null}>
          <HowCompiled language={language} />
        </FallbackBoundary>
      ) : null}
    </div>
  )
}
